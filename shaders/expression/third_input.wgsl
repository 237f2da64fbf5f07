// The third of three inputs, as words. The others are memory/input_pairs.wgsl's.

@group(0) @binding(9) var<storage, read> third_words: array<u32>;

// Of strided inputs. items_of_three.wgsl says what the parameters are.
fn third_byte_of(index: u32) -> u32 {
    return params.block + index * params.right_base;
}
