// Keys in order, with the words that each of them brought.
@if(words) struct SortedPairs {
    keys: Items,
    values: array<u32, ITEMS_PER_LANE>,
}

// Sorts the workgroup's keys, the smallest first, by their lowest `bits` bits, a number of at most 32 that all lanes agree on: 32 for
// whole keys. Equal ones keep their order. Item i of a lane is number `ITEMS_PER_LANE * lane + i` of the workgroup, before and after.
// Integers are in their order; floats, too, with -0 before 0, and NaNs at the ends, by their sign. Where there are fewer keys, the largest
// one fills up: it comes last. Every lane of the workgroup passes its keys; the result is valid in every lane.
@if(words) fn workgroup_sort(keys: Items, bits: u32, workgroup: Workgroup, invocation: Invocation) -> Items {
    let end = min(bits, 32u);
    var words = words_of_keys(keys);
    for (var bit = 0u; bit < end; bit += DIGIT_BITS) {
        let places = digit_places(words, bit, end, workgroup, invocation);
        words = words_moved(words, places, invocation);
    }
    return keys_of_words(words);
}

// As workgroup_sort, of keys with a word each, which goes where its key goes.
@if(words) fn workgroup_sort_pairs(
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

@if(words) fn words_of_keys(keys: Items) -> array<u32, ITEMS_PER_LANE> {
    var items = keys;
    var words: array<u32, ITEMS_PER_LANE>;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        words[i] = key_of_item(items[i]);
    }
    return words;
}

@if(words) fn keys_of_words(words: array<u32, ITEMS_PER_LANE>) -> Items {
    var keys = words;
    var items: Items;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        items[i] = item_of_key(keys[i]);
    }
    return items;
}

// Keys of 64 bits in order, with the words that each of them brought.
@if(two_words) struct SortedPairs {
    keys: Items,
    values: array<u32, ITEMS_PER_LANE>,
}

// Sorts the workgroup's keys of 64 bits, the smallest first, by their lowest `bits` bits, a number of at most 64 that all lanes agree on: 64
// for whole keys. Equal ones keep their order. Item i of a lane is number `ITEMS_PER_LANE * lane + i` of the workgroup, before and after.
// Integers are in their order; floats, too, with -0 before 0, and NaNs at the ends, by their sign. Where there are fewer keys, the largest
// one fills up: it comes last. Every lane of the workgroup passes its keys; the result is valid in every lane.
@if(two_words) fn workgroup_sort(keys: Items, bits: u32, workgroup: Workgroup, invocation: Invocation) -> Items {
    var low = low_words_of_keys(keys);
    var high = high_words_of_keys(keys);
    let low_end = min(bits, 32u);
    for (var bit = 0u; bit < low_end; bit += DIGIT_BITS) {
        let places = digit_places(low, bit, low_end, workgroup, invocation);
        low = words_moved(low, places, invocation);
        high = words_moved(high, places, invocation);
    }
    // The low words have done their part, and still go where the high ones go.
    let high_end = min(bits, 64u) - low_end;
    for (var bit = 0u; bit < high_end; bit += DIGIT_BITS) {
        let places = digit_places(high, bit, high_end, workgroup, invocation);
        low = words_moved(low, places, invocation);
        high = words_moved(high, places, invocation);
    }
    return keys_of_two_words(low, high);
}

// As workgroup_sort, of keys with a word each, which goes where its key goes.
@if(two_words) fn workgroup_sort_pairs(
    keys: Items,
    values: array<u32, ITEMS_PER_LANE>,
    bits: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> SortedPairs {
    var low = low_words_of_keys(keys);
    var high = high_words_of_keys(keys);
    var others = values;
    let low_end = min(bits, 32u);
    for (var bit = 0u; bit < low_end; bit += DIGIT_BITS) {
        let places = digit_places(low, bit, low_end, workgroup, invocation);
        low = words_moved(low, places, invocation);
        high = words_moved(high, places, invocation);
        others = words_moved(others, places, invocation);
    }
    let high_end = min(bits, 64u) - low_end;
    for (var bit = 0u; bit < high_end; bit += DIGIT_BITS) {
        let places = digit_places(high, bit, high_end, workgroup, invocation);
        low = words_moved(low, places, invocation);
        high = words_moved(high, places, invocation);
        others = words_moved(others, places, invocation);
    }
    return SortedPairs(keys_of_two_words(low, high), others);
}

@if(two_words) fn low_words_of_keys(keys: Items) -> array<u32, ITEMS_PER_LANE> {
    var items = keys;
    var words: array<u32, ITEMS_PER_LANE>;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        words[i] = key_of_item(items[i]).x;
    }
    return words;
}

@if(two_words) fn high_words_of_keys(keys: Items) -> array<u32, ITEMS_PER_LANE> {
    var items = keys;
    var words: array<u32, ITEMS_PER_LANE>;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        words[i] = key_of_item(items[i]).y;
    }
    return words;
}

@if(two_words) fn keys_of_two_words(low: array<u32, ITEMS_PER_LANE>, high: array<u32, ITEMS_PER_LANE>) -> Items {
    var low_words = low;
    var high_words = high;
    var items: Items;
    for (var i = 0u; i < ITEMS_PER_LANE; i++) {
        items[i] = item_of_key(vec2<u32>(low_words[i], high_words[i]));
    }
    return items;
}
