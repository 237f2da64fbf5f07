// An element of 3 words, its components: integers, or the bits of floats, as in f32_bits.wgsl.
alias Elem = vec3<u32>;

const COMPONENTS = 3u;

fn elem_of_words(words: array<u32, COMPONENTS>) -> Elem {
    return Elem(words[0], words[1], words[2]);
}

fn elem_words(value: Elem) -> array<u32, COMPONENTS> {
    return array<u32, COMPONENTS>(value.x, value.y, value.z);
}
