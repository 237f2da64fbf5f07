// What comes before all elements of a scan.

// What comes before all elements of a scan by an operator that tells places: nothing, as an initial value would have none.
@if(none) fn initial_acc(job: Params) -> Acc {
    return op_identity();
}

// What comes before all elements of a scan: the initial value, of one word, or nothing.
@if(word) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(elem_from_word(job.initial_0));
    }
    return op_identity();
}

// What comes before all elements of a scan: the initial value, of two words, or nothing.
@if(two_words) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(Elem(job.initial_0, job.initial_1));
    }
    return op_identity();
}

// What comes before all elements of a scan: the accumulator that the host has made of the initial value, or nothing.
@if(lifted) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) == 0u {
        return op_identity();
    }
    let all = vec4<u32>(job.initial_0, job.initial_1, job.initial_2, job.initial_3);
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = all[i];
    }
    return op_unpack(words);
}

// What comes before all elements of a scan: the initial value, of several components, or nothing.
@if(components) fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) == 0u {
        return op_identity();
    }
    let all = vec4<u32>(job.initial_0, job.initial_1, job.initial_2, job.initial_3);
    var words: array<u32, COMPONENTS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = all[i];
    }
    return op_lift(elem_of_words(words));
}
