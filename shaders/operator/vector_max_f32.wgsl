// The key above every number stands for NaN, so that one NaN makes the component NaN.
const NAN_KEY = 0xffffffffu;
