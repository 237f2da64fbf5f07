// The elements, word by word. An element of less is a word of its own here.

@if(all) @group(0) @binding(2) var<storage, read> input_words: array<u32>;

// Words of an element. Where positions are selected there are no elements: 0.
@if(all) override ITEM_WORDS: u32 = 1u;

// Four, where anything looks at them.
@if(all) fn four_at(job: Params, places: Places, i: u32) -> Four {
    if (ITEM_WORDS == 0u) & !FLAGS_LOOK_AT_ITEMS {
        return Four();
    }
    let four = four_places(places, i);
    let low = four_words(job, four, 0u);
    if (ITEM_WORDS < 2u) & !FLAGS_LOOK_AT_HIGH_WORDS {
        return Four(low, vec4<u32>());
    }
    return Four(low, four_words(job, four, 1u));
}

@if(all) fn four_words(job: Params, four: vec4<u32>, word: u32) -> vec4<u32> {
    return vec4<u32>(
        item_word(job, four.x, word),
        item_word(job, four.y, word),
        item_word(job, four.z, word),
        item_word(job, four.w, word),
    );
}

// A pass that looks at flags alone.

@if(none) fn four_at(job: Params, places: Places, i: u32) -> Four {
    return Four();
}
