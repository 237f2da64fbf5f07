// Elements of several components, of which an expression makes a number. What is loaded of an element is the word that it begins at; the expression
// loads the components that it looks at.

// From an element to the next one: an index is that of a word.
const INDEX_STEP = COMPONENTS;

fn elem_load(index: u32) -> Elem {
    if is_strided() {
        return elem_from_word(byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

fn pack_load(index: u32) -> Pack {
    return Pack(
        elem_load(index),
        elem_load(index + COMPONENTS),
        elem_load(index + 2u * COMPONENTS),
        elem_load(index + 3u * COMPONENTS),
    );
}

// A component of the element that begins at a word.
fn x_component(word: u32, component: u32) -> u32 {
    return word_load(word + component);
}
