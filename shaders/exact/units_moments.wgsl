// Sums of squares, in units of 2^-298, and from digit 40 on sums of elements, in units of 2^-149. Nothing is carried from
// one to the other: squares are not negative.
const DIGITS = 60u;
const BUCKET_BITS = 16u;
// Fewer, because there are so many buckets.
const SETS = 16u;
const SUM_POSITION = 640u;
