// Sums of elements, in units of 2^-149: 320 bits hold those of 2^40.
const DIGITS = 20u;
const BUCKET_BITS = 32u;
const SETS = 32u;
