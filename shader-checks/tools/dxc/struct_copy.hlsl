// An error of DXC, in little. In each round `old` is what `next` was before the stores. So the first round takes it
// from the thread's place, and what is stored depends on that: (x ^ y) + 0 + 6. DXC takes `old` for another name of
// `next`, and stores 0 + 6 + 12.
//
// Do not add anything: whether DXC errs depends on what else is there, down to functions that nobody calls.

struct S {
    uint a;
    uint b;
};

RWByteAddressBuffer result : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    S next;
    next.a = id.x;
    next.b = id.y;
    uint total = 0;
    for (uint i = 0; i < 3; i++) {
        S old = next;
        next.a = i * 3;
        next.b = i * 5;
        total += old.a ^ old.b;
    }
    result.Store(0, total);
}
