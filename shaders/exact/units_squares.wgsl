// Sums of products, in units of 2^-298: 640 bits hold those of 2^40.
const DIGITS = 40u;
const BUCKET_BITS = 16u;
const SETS = 32u;
