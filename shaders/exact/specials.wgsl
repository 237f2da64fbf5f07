// Flags for what is not finite.
const SPECIAL_NAN = 1u;
const SPECIAL_INFINITY = 2u;
const SPECIAL_NEGATIVE_INFINITY = 4u;
