//! Sums of groups in f64, without rounding: fast, where elements are of similar sizes.
//!
//! An f32 is an integer of 24 bits times a power of two, an f64 has 53. So where a group's exponents lie close together,
//! *in a window*, every sum of some of its elements is an f64, and no addition rounds. Products of two have 48 bits; two
//! f64s take their sums: one all multiples of a unit, another what is below it. S. M. Rump, T. Ogita and
//! S. Oishi, "Accurate floating-point summation part I: faithful rounding", SIAM Journal on Scientific Computing 31, 2008,
//! part numbers so.
//!
//! All of it takes the default float environment: where subnormals are flushed, an element could be lost.

use super::wide::Wide;

/// Elements of a group.
pub(super) const GROUP_ITEMS: usize = 1024;

/// Fewer are no group.
const MIN_ITEMS: usize = 256;

/// Elements at most that are added in another way before a group is tried again.
const MAX_OTHERS: usize = 1 << 15;

/// Comparisons under way at a time: four vectors of the narrowest instructions; and sums, which are twice as wide.
const WIDTH: usize = 16;
const LANES: usize = 8;

/// The bits of an f32's fraction, and of an f64's.
const FRACTION_BITS: u32 = 23;
const WIDE_FRACTION_BITS: u32 = 52;

/// How far apart exponents of elements may be: a sum of 2^10 elements, each an integer of 24 bits times powers of two up to
/// this, has 53 bits.
const ELEMENT_WINDOW: u32 = 53 - 24 - GROUP_ITEMS.ilog2();

/// The unit of the larger parts is the power of two so many places below all products: 2^7 products of a lane
/// are less than 2^51 units then.
const UNIT_PLACES: u32 = 51 - (GROUP_ITEMS / LANES).ilog2();
/// The smaller parts are at most half a unit, and 2^10 of them have 53 bits, if the unit is not more than this many places
/// above their last.
const REST_PLACES: u32 = 53 + 1 - GROUP_ITEMS.ilog2();
/// How far apart the exponents of products may be: a product of two elements, of 24 bits each, is less than the power of two
/// that is 48 places above its last.
const PRODUCT_WINDOW: u32 = UNIT_PLACES + REST_PLACES - 48;

/// Between which exponent fields those of a group's elements are, if they are finite; zeros don't count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    largest: u32,
    smallest: u32,
}

impl Range {
    /// The range of a group. NaNs are passed over.
    #[inline(never)]
    pub(super) fn of(group: &[f32; GROUP_ITEMS]) -> Self {
        // Compilers know instructions for just these.
        let larger = |x, y| if x > y { x } else { y };
        let smaller = |x, y| if x < y { x } else { y };
        let (mut largest, mut smallest) = ([0.0; WIDTH], [f32::INFINITY; WIDTH]);
        for elements in group.as_chunks::<WIDTH>().0 {
            for i in 0..WIDTH {
                let magnitude = elements[i].abs();
                largest[i] = larger(magnitude, largest[i]);
                let nonzero = if magnitude == 0.0 { f32::INFINITY } else { magnitude };
                smallest[i] = smaller(nonzero, smallest[i]);
            }
        }
        let mut count = WIDTH;
        while count > 1 {
            count /= 2;
            for i in 0..count {
                largest[i] = larger(largest[i + count], largest[i]);
                smallest[i] = smaller(smallest[i + count], smallest[i]);
            }
        }
        let [largest, smallest] =
            [largest[0], smallest[0]].map(|magnitude| magnitude.to_bits() >> FRACTION_BITS);
        Self { largest, smallest }
    }

    /// Of the exponents.
    fn width(self) -> u32 {
        self.largest.saturating_sub(self.smallest)
    }
}

/// Adds the elements of a group to `sum`, in units of 2^-149, and says so; or adds nothing, if they are not
/// all finite, or too far apart.
#[inline(never)]
pub(super) fn add_elements(group: &[f32; GROUP_ITEMS], range: Range, sum: &mut Wide<5>) -> bool {
    if range.width() > ELEMENT_WINDOW {
        return false;
    }
    let mut sums = [0.0; LANES];
    for elements in group.as_chunks::<LANES>().0 {
        for i in 0..LANES {
            sums[i] += f64::from(elements[i]);
        }
    }
    add_f64(total(sums), 149, sum)
}

/// Adds the products of the elements of two groups to `sum`, in units of 2^-298, and says so; or adds nothing, if
/// the elements are not all finite, or too far apart.
#[inline(never)]
pub(super) fn add_products(
    [left, right]: [&[f32; GROUP_ITEMS]; 2],
    [left_range, right_range]: [Range; 2],
    sum: &mut Wide<10>,
) -> bool {
    if left_range.width() + right_range.width() > PRODUCT_WINDOW {
        return false;
    }
    // All products are less than 2^(this − 252), so the unit is 2^(this − 252 − UNIT_PLACES).
    let fields = left_range.largest + right_range.largest;
    // 1.5 · 2^52 units: the last place of what is added to it is a unit.
    let unit_field = 1023 + fields - 252 - UNIT_PLACES;
    let anchor_bits = u64::from(unit_field + WIDE_FRACTION_BITS) << WIDE_FRACTION_BITS | 1 << 51;
    let mut larger = [f64::from_bits(anchor_bits); LANES];
    let mut smaller = [0.0; LANES];
    for (left, right) in left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            let product = f64::from(left[i]) * f64::from(right[i]);
            let next = larger[i] + product;
            smaller[i] += product - (next - larger[i]);
            larger[i] = next;
        }
    }
    // NaN, if a product is not finite.
    if !add_f64(total(smaller), 298, sum) {
        return false;
    }
    let units = larger.into_iter().fold(0, |units, larger| {
        units + (larger.to_bits().cast_signed() - anchor_bits.cast_signed())
    });
    let shift = 298 + fields - 252 - UNIT_PLACES;
    sum.add_shifted(units, shift as usize);
    true
}

/// The sum, by halves: these additions wait for one another.
#[inline]
fn total(mut sums: [f64; LANES]) -> f64 {
    let mut count = LANES;
    while count > 1 {
        count /= 2;
        for i in 0..count {
            sums[i] += sums[i + count];
        }
    }
    sums[0]
}

/// Gives all elements to `add`, with `acc`, a group at a time, of which the last may have zeros in addition. Where it adds nothing, elements of
/// that group and of some more go to `add_others`.
#[inline]
pub(super) fn by_groups<Acc, const INPUTS: usize>(
    acc: &mut Acc,
    inputs: [&[f32]; INPUTS],
    add: impl Fn(&mut Acc, [&[f32; GROUP_ITEMS]; INPUTS]) -> bool,
    add_others: impl Fn(&mut Acc, [&[f32]; INPUTS]),
) {
    let len = inputs[0].len();
    let (mut begin, mut others) = (0, GROUP_ITEMS);
    while begin < len {
        let part = |items| begin..len.min(begin + items);
        let group = part(GROUP_ITEMS);
        let is_added = if group.len() == GROUP_ITEMS {
            add(acc, inputs.map(|input| input[group.clone()].as_array().expect("a whole group")))
        } else if group.len() >= MIN_ITEMS {
            let padded = inputs.map(|input| {
                let mut padded = [0.0; GROUP_ITEMS];
                padded[..group.len()].copy_from_slice(&input[group.clone()]);
                padded
            });
            add(acc, padded.each_ref())
        } else {
            false
        };
        if is_added {
            (begin, others) = (group.end, GROUP_ITEMS);
        } else {
            let part = part(others);
            add_others(acc, inputs.map(|input| &input[part.clone()]));
            // What follows is probably like it, and many at once take less time.
            (begin, others) = (part.end, MAX_OTHERS.min(8 * others));
        }
    }
}

/// Adds `value`, a multiple of the unit 2^−`unit`, and says so; or adds nothing, if it is not finite.
fn add_f64<const WORDS: usize>(value: f64, unit: usize, sum: &mut Wide<WORDS>) -> bool {
    let bits = value.to_bits();
    let field = usize::try_from(bits >> WIDE_FRACTION_BITS & 0x7ff).expect("11 bits");
    if field == 0x7ff {
        return false;
    }
    // No such multiple is subnormal, but for 0.
    if field != 0 {
        let fraction = bits & ((1 << WIDE_FRACTION_BITS) - 1);
        let magnitude = (fraction | 1 << WIDE_FRACTION_BITS).cast_signed();
        let significand = if value < 0.0 { -magnitude } else { magnitude };
        // The place of the significand's last bit, above the unit, or below: then its last bits are zeros.
        let (place, unit) = (field + unit, 1023 + WIDE_FRACTION_BITS as usize);
        if place >= unit {
            sum.add_shifted(significand, place - unit);
        } else {
            sum.add_shifted(significand >> (unit - place), 0);
        }
    }
    true
}
