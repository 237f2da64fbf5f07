// The sum of a workgroup as digits of 16 bits, each a two's complement number with room for many. What it
// can't hold is 1 in the digit two places up. The units say how many digits there are.

var<workgroup> digits: array<atomic<u32>, DIGITS>;
var<workgroup> specials: atomic<u32>;

fn digits_clear(lane_index: u32) {
    if lane_index < DIGITS {
        atomicStore(&digits[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&specials, 0u);
    }
}

fn is_negative(value: u32) -> bool {
    return value >= 0x80000000u;
}

// Whether the sum of two numbers is not their sum in two's complement.
fn overflows(a: u32, b: u32) -> bool {
    let sum = a + b;
    return is_negative((a ^ sum) & (b ^ sum));
}

// The bits of a two's complement number from bit `shift` on, at most 32.
fn shifted_right(value: u32, shift: u32) -> u32 {
    return bitcast<u32>((bitcast<i32>(value) >> (shift >> 1u)) >> (shift - (shift >> 1u)));
}

fn digit_add(digit: u32, value: u32) {
    var addend = value;
    for (var at = digit; at < DIGITS; at += 2u) {
        let before = atomicAdd(&digits[at], addend);
        if !overflows(before, addend) {
            break;
        }
        addend = select(1u, 0xffffffffu, is_negative(addend));
    }
}

// Adds value * 2^position, a two's complement value.
fn digits_add(position: u32, value: u32) {
    let digit = position >> 4u;
    let shift = position & 15u;
    digit_add(digit, (value << shift) & 0xffffu);
    digit_add(digit + 1u, shifted_right(value, 16u - shift) & 0xffffu);
    digit_add(digit + 2u, shifted_right(value, 32u - shift));
}

fn deposit_special(special: u32) {
    atomicOr(&specials, special);
}

// Adds the digits to the accumulator, after a barrier.
fn digits_deliver(lane_index: u32) {
    if lane_index < DIGITS {
        accumulate_digit(lane_index, atomicLoad(&digits[lane_index]));
    }
    if lane_index == 0u {
        accumulate_specials(atomicLoad(&specials));
    }
}
