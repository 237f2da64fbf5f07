// The sum of the words of the lanes before this one, and that of all lanes of the workgroup.
fn words_before(word: u32, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    let index = invocation.local_invocation_index;
    workgroupBarrier();
    memory[index] = word;
    for (var distance = 1u; distance < WORKGROUP_SIZE; distance <<= 1u) {
        workgroupBarrier();
        var sum = memory[index];
        if index >= distance {
            sum += memory[index - distance];
        }
        workgroupBarrier();
        memory[index] = sum;
    }
    workgroupBarrier();
    return vec2<u32>(memory[index] - word, memory[WORKGROUP_SIZE - 1u]);
}
