// How integers are folded: by exclusive or, if it is none of these.
override FOLD: u32 = 0u;
const FOLD_SUM = 0u;
const FOLD_PRODUCT = 1u;
const FOLD_AND = 2u;
const FOLD_OR = 3u;
