// Exact sums of f64s, of segments. They have too many limbs for registers: each lane has one sum, in memory of its own, and adds one item after
// another to it, in any order.

// A number in units of 2^-1074, in two's complement: 2144 bits hold the sum of 2^40 elements. Limbs come with the lowest first.
const LIMBS = DIGITS / 2u;
// In scratch memory: see there.
const ACC_WORDS = LIMBS + 1u;
const OUT_WORDS = 2u;

// The lane's sum is what the limbs say, and the carries: each is a small number with a sign, for the limb of its number and those above it. So no
// addition has to go through all limbs. Between two sums all are 0.
var<private> limbs: array<u32, LIMBS>;
var<private> carries: array<u32, LIMBS + 1u>;

// Which limbs a lane's sum has, from `first` to `end`, and flags for what is not finite.
struct Acc {
    first: u32,
    end: u32,
    specials: u32,
}

alias Total = Acc;

// Of which a lane keeps one: the others here are empty.
struct Acc4 {
    x: Acc,
    y: Acc,
    z: Acc,
    w: Acc,
}

fn acc_select(a: Acc, b: Acc, takes_b: bool) -> Acc {
    if takes_b {
        return b;
    }
    return a;
}

fn op_identity() -> Acc {
    return Acc(LIMBS, 0u, 0u);
}

fn total_of(run: Acc) -> Total {
    return run;
}

// The sum, and what is carried.
fn limb_add(a: u32, b: u32, carry: u32) -> vec2<u32> {
    let sum = a + b;
    let carried = sum + carry;
    return vec2<u32>(carried, select(0u, 1u, sum < a) + select(0u, 1u, carried < sum));
}

fn carry_add(at: u32, carry: u32) {
    if carry != 0u {
        carries[at] += carry;
    }
}

// The lane's sum with an element. Zeros are passed over: limbs would reach down to the lowest because of them. What infinities and NaNs add does not
// matter: their flags do.
fn sum_add(sum: Acc, bits: Elem) -> Acc {
    if f64_is_zero(bits) {
        return sum;
    }
    let field = extractBits(bits.y, 20u, 11u);
    // 0 for subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    let high = (bits.y & 0x000fffffu) | (is_normal << 20u);
    let position = field - is_normal;
    let at = position >> 5u;
    let shift = position & 31u;
    // To subtract is to add the complement, and 1.
    let sign = bits.y >> 31u;
    let flip = 0u - sign;
    let limb0 = limb_add(limbs[at], (bits.x << shift) ^ flip, sign);
    let limb1 = limb_add(
        limbs[at + 1u],
        ((high << shift) | ((bits.x >> 1u) >> (31u - shift))) ^ flip,
        limb0.y,
    );
    let limb2 = limb_add(limbs[at + 2u], ((high >> 1u) >> (31u - shift)) ^ flip, limb1.y);
    limbs[at] = limb0.x;
    limbs[at + 1u] = limb1.x;
    limbs[at + 2u] = limb2.x;
    carry_add(at + 3u, limb2.y - sign);
    return Acc(min(sum.first, at), max(sum.end, at + 3u), sum.specials | special_of(bits));
}

// A sum once nothing is left to carry: the limbs that it has, as they are, and those above them, which are all its sign.
struct Settled {
    first: u32,
    end: u32,
    sign: u32,
}

fn sum_settle(sum: Acc) -> Settled {
    var carry = 0u;
    for (var at = sum.first; at < LIMBS; at++) {
        if at >= sum.end {
            break;
        }
        let addend = carries[at] + carry;
        carries[at] = 0u;
        let limb = limbs[at] + addend;
        limbs[at] = limb;
        // One up for what wraps around, and one down for what is below zero.
        carry = select(0u, 1u, limb < addend) - (addend >> 31u);
    }
    let above = carries[sum.end] + carry;
    carries[sum.end] = 0u;
    let sign = 0u - (above >> 31u);
    // Above the highest limb there is nothing but the sign.
    if (above == sign) | (sum.end == LIMBS) {
        return Settled(sum.first, sum.end, sign);
    }
    limbs[sum.end] = above;
    return Settled(sum.first, sum.end + 1u, sign);
}
