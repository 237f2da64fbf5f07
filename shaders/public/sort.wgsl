// Keys in order, with the words that each of them brought.
struct SortedPairs {
    keys: Items,
    values: array<u32, ITEMS_PER_LANE>,
}

// Sorts the workgroup's keys, the smallest first, by their lowest `bits` bits, a number of at most 32 that all lanes agree on: 32 for
// whole keys. Equal ones keep their order. Item i of a lane is number `ITEMS_PER_LANE * lane + i` of the workgroup, before and after.
// Integers are in their order; floats, too, with -0 before 0, and NaNs at the ends, by their sign. Where there are fewer keys, the largest
// one fills up: it comes last. Every lane of the workgroup passes its keys; the result is valid in every lane.
fn workgroup_sort(keys: Items, bits: u32, workgroup: Workgroup, invocation: Invocation) -> Items {
    let end = min(bits, 32u);
    var words = words_of_keys(keys);
    for (var bit = 0u; bit < end; bit += DIGIT_BITS) {
        let places = digit_places(words, bit, end, workgroup, invocation);
        words = words_moved(words, places, invocation);
    }
    return keys_of_words(words);
}

// As workgroup_sort, of keys with a word each, which goes where its key goes.
fn workgroup_sort_pairs(
    keys: Items,
    values: array<u32, ITEMS_PER_LANE>,
    bits: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> SortedPairs {
    let end = min(bits, 32u);
    var words = words_of_keys(keys);
    var others = values;
    for (var bit = 0u; bit < end; bit += DIGIT_BITS) {
        let places = digit_places(words, bit, end, workgroup, invocation);
        words = words_moved(words, places, invocation);
        others = words_moved(others, places, invocation);
    }
    return SortedPairs(keys_of_words(words), others);
}

fn words_of_keys(keys: Items) -> array<u32, ITEMS_PER_LANE> {
    var items = keys;
    var words: array<u32, ITEMS_PER_LANE>;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        words[i] = key_of_item(items[i]);
    }
    return words;
}

fn keys_of_words(words: array<u32, ITEMS_PER_LANE>) -> Items {
    var keys = words;
    var items: Items;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        items[i] = item_of_key(keys[i]);
    }
    return items;
}
