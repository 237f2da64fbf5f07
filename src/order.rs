//! The fixed order of f32 sums and products, the *pairwise order*: a function of the number of elements alone.
//!
//! Floating-point addition rounds, so a sum depends on the order of its additions. Here the order is part of the
//! definition of a reproducible result:
//!
//! * A *run* of level `k` and index `i` is the `2^k` elements from element `i · 2^k` on. Its total `R(k, i)` is the
//!   element itself if `k = 0`, and else the total of its left half plus that of its right half:
//!   `R(0, i) = x[i]`, `R(k + 1, i) = R(k, 2 i) + R(k, 2 i + 1)`.
//! * A number of elements is a sum of powers of two, `n = 2^a + 2^b + 2^c + …` with `a > b > c > …`, and the elements
//!   fall into runs of these levels, the longest first. Their sum `S(n)` is the left fold of the runs' totals,
//!   `((R1 + R2) + R3) + …`. So seven elements are `((x0 + x1) + (x2 + x3)) + (x4 + x5)`, and that plus `x6`. `S(0)` is +0.
//! * Each addition rounds as IEEE-754 says: to the nearest, ties to even, with subnormal numbers.
//! * Only the result is made canonical: every NaN becomes 0x7fc00000, and −0 becomes +0.
//!
//! Products have the same order. They begin from 1, keep the sign of zero, and multiply significands with exponents
//! apart; `docs/float-sums.md` in the repository says how.
//!
//! Elements are counted from the first one reduced, over all slices, not from a buffer's start. No device, subgroup size,
//! workgroup, variant, binding, thread or cut between slices has a part in this. Changing any of it changes users' results.
//!
//! **Parts.** A part of a sequence, wherever it begins and ends, is a list of runs: the longest that fit, at most 80 of them
//! (40 if the part begins at element 0). Two lists of neighbouring parts become the list of both by combining *siblings*,
//! which are the runs of indices `2 i` and `2 i + 1` on one level. Nothing else may be combined before the end. Of
//! `[1, e, e]` with `e = 2^-24` the last two elements are no siblings: `1 + e + e` is 1 in this order, but `1 + (e + e)` is
//! not.
//!
//! **Error.** Each element takes part in at most `floor(log2(n)) + popcount(n) − 1` additions. So a sum is off by at most
//! `2 · log2(n) / 2^24` times the sum of magnitudes (in the first order, and where nothing overflows). A loop's is off by up
//! to `n / 2^24`.

/// Elements at most.
pub const MAX_LEN: u64 = 1 << 40;
