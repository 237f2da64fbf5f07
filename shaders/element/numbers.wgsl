// Which numbers the words of elements are.
override NUMBERS: u32 = 0u;
const UNSIGNED = 0u;
// Two's complement.
const SIGNED = 1u;
// The bits of floats.
const FLOATS = 2u;
