// The key below every number stands for NaN, so that one NaN makes the component NaN.
const NAN_KEY = 0u;
