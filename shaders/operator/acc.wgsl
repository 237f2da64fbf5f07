// For operators whose accumulator is one word, and so is their result: the bits of a float, or a key made of them, or a
// number.
@if(word) alias Acc = u32;
@if(word) alias Total = Acc;

@if(word) const ACC_WORDS = 1u;
@if(word) const SHUFFLED_WORDS = ACC_WORDS;
@if(word) const OUT_WORDS = 1u;

@if(word) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc);
}

@if(word) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return words[0];
}

// For operators whose accumulator is 64 bits, and so is their result: two words, the low one first. They are an integer, the
// bits of a float, or a key made of them.
@if(two_words) alias Acc = vec2<u32>;
@if(two_words) alias Total = Acc;

@if(two_words) const ACC_WORDS = 2u;
@if(two_words) const SHUFFLED_WORDS = ACC_WORDS;
@if(two_words) const OUT_WORDS = 2u;

@if(two_words) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.x, acc.y);
}

@if(two_words) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1]);
}

// For operators that reduce each component alone: an accumulator has a word for each.
@if(components) alias Acc = Elem;
@if(components) alias Total = Acc;

@if(components) const ACC_WORDS = COMPONENTS;
@if(components) const SHUFFLED_WORDS = ACC_WORDS;
@if(components) const OUT_WORDS = COMPONENTS;

@if(components) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return elem_words(acc);
}

@if(components) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return elem_of_words(words);
}

// For operators whose result is their accumulator.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}
