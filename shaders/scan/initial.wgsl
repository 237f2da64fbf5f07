// What comes before all elements of a scan.

// What comes before all elements of a scan by an operator that tells places: nothing, as an initial value would have none.
@if(none) fn initial_acc(job: Params) -> Acc {
    return op_identity();
}

// What comes before all elements of a scan: the initial value, of one word, or nothing.
@if(word) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(elem_from_word(job.initial_low));
    }
    return op_identity();
}

// What comes before all elements of a scan: the initial value, of two words, or nothing.
@if(two_words) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(Elem(job.initial_low, job.initial_high));
    }
    return op_identity();
}

// What comes before all elements of a scan: the accumulator that the host has made of the initial value, or nothing. Its third and fourth
// word are where a reduction of two inputs has the strides of the right one.
@if(lifted) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) == 0u {
        return op_identity();
    }
    let all = vec4<u32>(job.initial_low, job.initial_high, job.right_head_bytes, job.right_stride_bytes);
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = all[i];
    }
    return op_unpack(words);
}

// What comes before all elements of a scan: the initial value, of several components, or nothing. Its third and fourth word are where
// a reduction of two inputs has the strides of the right one.
@if(components) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) == 0u {
        return op_identity();
    }
    let all = vec4<u32>(job.initial_low, job.initial_high, job.right_head_bytes, job.right_stride_bytes);
    var words: array<u32, COMPONENTS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = all[i];
    }
    return op_lift(elem_of_words(words));
}
