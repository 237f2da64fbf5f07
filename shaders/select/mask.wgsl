// Flags come from a mask: words or bytes that are not 0, or bits.

const FLAGS_LOOK_AT_ITEMS = false;
const FLAGS_LOOK_AT_HIGH_WORDS = false;

@group(0) @binding(6) var<storage, read> mask: array<u32>;

// Bytes of a flag. 0 stands for bits.
override FLAG_BYTES: u32 = 4u;

fn flags4_at(job: Params, four: vec4<u32>, items: Four) -> u32 {
    if FLAG_BYTES == 4u {
        let words = job.mask_begin + four * (job.mask_stride_bytes >> 2u);
        return bits_of(mask_words(words) != vec4<u32>());
    }
    if FLAG_BYTES == 0u {
        let bits = job.mask_begin + four;
        if ARE_TOGETHER {
            return mask_bits(bits.x >> 5u, bits.x & 31u, bits.w >> 5u);
        }
        return bits_of(((mask_words(bits >> vec4<u32>(5u)) >> (bits & vec4<u32>(31u))) & vec4<u32>(1u)) != vec4<u32>());
    }
    let bytes = job.mask_begin + four * job.mask_stride_bytes;
    if ARE_TOGETHER & (job.mask_stride_bytes == 1u) {
        return flags_of_bytes(mask_bits(bytes.x >> 2u, 8u * (bytes.x & 3u), bytes.w >> 2u));
    }
    let flags = mask_words(bytes >> vec4<u32>(2u)) >> (8u * (bytes & vec4<u32>(3u)));
    return bits_of((flags & vec4<u32>(0xffu)) != vec4<u32>());
}

fn mask_words(words: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(mask[words.x], mask[words.y], mask[words.z], mask[words.w]);
}

// 32 bits from a bit of a word on. None is read behind the last word.
fn mask_bits(word: u32, shift: u32, last_word: u32) -> u32 {
    // Two steps: where the word begins at its first bit, nothing of the next one is left. Of a word that is its own last one there is nothing
    // behind it that counts.
    return (mask[word] >> shift) | ((mask[last_word] << (31u - shift)) << 1u);
}

fn flags_of_bytes(bytes: u32) -> u32 {
    // The highest bit of each byte that is not 0.
    let highest = (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) & 0x80808080u;
    let bits = (vec4<u32>(highest) >> vec4<u32>(7u, 14u, 21u, 28u)) & vec4<u32>(1u, 2u, 4u, 8u);
    return bits.x | bits.y | bits.z | bits.w;
}

// The next launch has flags of its own.
fn last_item_leave(job: Params) {}
