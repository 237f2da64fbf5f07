// 7 stands for the type's words.
const WORDS = 7u;

fn item_at(index: u32) -> array<u32, WORDS> {
    var item: array<u32, WORDS>;
    for (var i = 0u; i < WORDS; i++) {
        item[i] = (input[index] ^ (i * 0x9e3779b9u)) + index;
    }
    return item;
}

// The first word and the last one, and all of them in one, in which their order counts.
fn keep_item(slot: u32, item: array<u32, WORDS>, invocation: gridfold_Invocation) {
    var words = item;
    var all = 0u;
    for (var i = 0u; i < WORDS; i++) {
        all = all * 31u + words[i];
    }
    keep_words(slot, vec2<u32>(words[0], words[WORDS - 1u]), invocation);
    keep_words(slot + 1u, vec2<u32>(all, 0u), invocation);
}
