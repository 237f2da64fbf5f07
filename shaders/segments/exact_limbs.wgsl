// Numbers of many limbs of 32 bits in two's complement, four limbs at a time, the lowest first: what exact segments add up, beside plain sums.

struct LimbsSum {
    sum: vec4<u32>,
    carry: u32,
}

// The sum, and what is carried.
fn limb_add(a: u32, b: u32, carry: u32) -> vec2<u32> {
    let sum = a + b;
    let carried = sum + carry;
    return vec2<u32>(carried, select(0u, 1u, sum < a) + select(0u, 1u, carried < sum));
}

fn limbs_add(a: vec4<u32>, b: vec4<u32>, carry: u32) -> LimbsSum {
    let s0 = limb_add(a.x, b.x, carry);
    let s1 = limb_add(a.y, b.y, s0.y);
    let s2 = limb_add(a.z, b.z, s1.y);
    let s3 = limb_add(a.w, b.w, s2.y);
    return LimbsSum(vec4<u32>(s0.x, s1.x, s2.x, s3.x), s3.y);
}

// Four limbs from `begin` on, of a number that has these three from limb `first` on, zeros below them, and above them its sign.
fn limbs_from(begin: u32, first: u32, own: vec3<u32>, sign: u32) -> vec4<u32> {
    let at = vec4<u32>(0u, 1u, 2u, 3u) + begin;
    let above = select(vec4<u32>(), vec4<u32>(sign), at > vec4<u32>(first));
    let third = select(above, vec4<u32>(own.z), at == vec4<u32>(first + 2u));
    let second = select(third, vec4<u32>(own.y), at == vec4<u32>(first + 1u));
    return select(second, vec4<u32>(own.x), at == vec4<u32>(first));
}

// The square of an element, in units of 2^-298: three limbs from limb `first` on. No more than 48 bits are not 0.
struct SquareLimbs {
    first: u32,
    own: vec3<u32>,
}

fn square_limbs(parts: ElementParts) -> SquareLimbs {
    let square = significand_product(parts.significand, parts.significand);
    let position = 2u * parts.position;
    let shift = position & 31u;
    return SquareLimbs(
        position >> 5u,
        vec3<u32>(
            square.low << shift,
            (square.high << shift) | ((square.low >> 1u) >> (31u - shift)),
            (square.high >> 1u) >> (31u - shift),
        ),
    );
}
