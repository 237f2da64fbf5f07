// What comes before all elements of a scan: the accumulator that the host has made of the initial value, or nothing. Its third and fourth
// word are where a reduction of two inputs has the strides of the right one.
fn initial_acc(job: Params) -> Acc {
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
