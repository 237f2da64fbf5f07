// The layout of an exact accumulator in memory: digits of 16 bits, each a two's complement number with room for
// many, and behind them the flags for NaNs and infinities. All are 0 before the first dispatch of a reduction and
// after the last.
//
// Atomics on the same lines of memory wait for each other. So there are copies, in lines of their own, which the
// workgroups take in turn.
const COPIES = 16u;
const LINE_WORDS = 32u;
const COPY_WORDS = (DIGITS + LINE_WORDS) / LINE_WORDS * LINE_WORDS;
