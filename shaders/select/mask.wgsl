// Flags come from a mask: words or bytes that are not 0, or bits.

const FLAGS_LOOK_AT_ITEMS = false;

@group(0) @binding(6) var<storage, read> mask: array<u32>;

// Bytes of a flag. 0 stands for bits.
override FLAG_BYTES: u32 = 4u;

// Four neighbours' flags, of which the last one that is there is at `last`.
fn flags4_at(job: Params, at: u32, last: u32, neighbours: Neighbours) -> u32 {
    if FLAG_BYTES == 4u {
        let stride = job.right_stride_bytes >> 2u;
        let first = job.right_base + at * stride;
        let end = job.right_base + last * stride;
        return flags_of_words(vec4<u32>(
            mask[first],
            mask[min(first + stride, end)],
            mask[min(first + 2u * stride, end)],
            mask[end],
        ));
    }
    if FLAG_BYTES == 0u {
        let bit = job.right_base + at;
        return mask_bits(bit >> 5u, bit & 31u, (job.right_base + last) >> 5u);
    }
    let stride = job.right_stride_bytes;
    let byte = job.right_base + at * stride;
    let end = job.right_base + last * stride;
    if stride == 1u {
        return flags_of_bytes(mask_bits(byte >> 2u, 8u * (byte & 3u), end >> 2u));
    }
    return flags_of_words(vec4<u32>(
        mask_byte(byte),
        mask_byte(min(byte + stride, end)),
        mask_byte(min(byte + 2u * stride, end)),
        mask_byte(end),
    ));
}

// 32 bits from a bit of a word on. None is read behind the last word.
fn mask_bits(word: u32, shift: u32, last_word: u32) -> u32 {
    let low = mask[word] >> shift;
    if word == last_word {
        return low;
    }
    // Two steps: where the word begins at its first bit, nothing of the next one is left.
    return low | ((mask[last_word] << (31u - shift)) << 1u);
}

fn mask_byte(byte: u32) -> u32 {
    return (mask[byte >> 2u] >> (8u * (byte & 3u))) & 0xffu;
}

fn flags_of_words(words: vec4<u32>) -> u32 {
    let bits = select(vec4<u32>(), vec4<u32>(1u, 2u, 4u, 8u), words != vec4<u32>());
    return bits.x | bits.y | bits.z | bits.w;
}

fn flags_of_bytes(bytes: u32) -> u32 {
    // The highest bit of each byte that is not 0.
    let highest = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    let bits = (vec4<u32>(highest) >> vec4<u32>(7u, 14u, 21u, 28u)) & vec4<u32>(1u, 2u, 4u, 8u);
    return bits.x | bits.y | bits.z | bits.w;
}

// The next launch has flags of its own.
fn last_item_leave(job: Params) {}
