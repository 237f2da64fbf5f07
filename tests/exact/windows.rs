//! The ends of what many elements of similar sizes have room for at once, against the same elements one by one.

use gridfold::{ExactDot, ExactMoments, ExactSum};

/// More than a group, and no whole number of them.
const LEN: usize = 5000;

fn with_field(field: u32, fraction: u32) -> f32 {
    f32::from_bits(field << 23 | fraction)
}

/// `common` again and again, with another now and then: an odd number of times in some group of any length, so that
/// their last places don't add up to more.
fn mostly(common: f32, others: &[f32]) -> Vec<f32> {
    let mut elements = vec![common; LEN];
    for (number, &other) in others.iter().enumerate() {
        for group in elements.chunks_mut(350) {
            let place = (37 + 101 * number) % group.len();
            group[place] = other;
        }
    }
    elements
}

fn check_sum(elements: &[f32]) {
    let (mut extended, mut one_by_one) = (ExactSum::default(), ExactSum::default());
    extended.extend(elements);
    elements.iter().for_each(|&element| one_by_one.add(element));
    assert_eq!(extended, one_by_one, "sum of {:x?}", first_bits(elements));
    let mut moments = ExactMoments::default();
    moments.extend(elements);
    assert_eq!(moments.sum(), one_by_one, "moments of {:x?}", first_bits(elements));
}

fn check_dot(left: &[f32], right: &[f32]) {
    let (mut extended, mut one_by_one) = (ExactDot::default(), ExactDot::default());
    extended.extend(left, right).expect("of one length");
    left.iter().zip(right).for_each(|(&x, &y)| one_by_one.add(x, y));
    let bits = (first_bits(left), first_bits(right));
    assert_eq!(extended, one_by_one, "dot product of {bits:x?}");
}

fn check_squares(elements: &[f32]) {
    check_dot(elements, elements);
    let (mut extended, mut one_by_one) = (ExactDot::default(), ExactDot::default());
    extended.extend_squares(elements);
    elements.iter().for_each(|&element| one_by_one.add_square(element));
    assert_eq!(extended, one_by_one, "squares of {:x?}", first_bits(elements));
    let mut moments = ExactMoments::default();
    moments.extend(elements);
    assert_eq!(moments.squares(), one_by_one, "moments of {:x?}", first_bits(elements));
}

fn first_bits(elements: &[f32]) -> Vec<u32> {
    elements.iter().map(|element| element.to_bits()).take(140).collect()
}

/// Sums that take as many bits as there can be: the largest of a field, and last places far below.
#[test]
fn large_sums_with_small_ends() {
    for largest in [1, 2, 19, 20, 21, 30, 127, 200, 253, 254] {
        for distance in 0..30.min(largest + 1) {
            for sign in [1.0, -1.0] {
                let large = sign * with_field(largest, 0x007f_ffff);
                let small = sign * with_field(largest - distance, 1);
                for others in [&[small][..], &[small, 0.0, -0.0], &[small, -small]] {
                    let elements = mostly(large, others);
                    check_sum(&elements);
                    check_squares(&elements);
                }
            }
        }
    }
}

/// Products whose parts below the unit of a group's larger parts are nearly half that unit, all with one sign, with the
/// last places of others far below.
#[test]
fn small_parts_that_add_up() {
    for largest in [100, 127, 160] {
        for [left_width, right_width] in
            [[20, 16], [18, 20], [20, 20], [20, 21], [21, 21], [13, 24]]
        {
            // For each place that the unit of groups of some length may have.
            for ones in 14..23 {
                for sign in [1.0, -1.0] {
                    let one_field = [largest - left_width, largest - right_width];
                    let [left_field, right_field] = one_field;
                    let left = with_field(left_field, (1 << ones) - 1);
                    let right = sign * with_field(right_field, 0);
                    let large = with_field(largest, 0);
                    let odd = [with_field(left_field, 1), sign * with_field(right_field, 1)];
                    check_dot(&mostly(left, &[large, odd[0]]), &mostly(right, &[large, odd[1]]));
                    check_dot(&mostly(right, &[large, odd[1]]), &mostly(left, &[large, odd[0]]));
                }
            }
        }
    }
}

/// What does not fit goes another way, and so do its neighbours: at most so many that their products' sums have room.
#[test]
fn large_products_apart() {
    for elements in [
        mostly(f32::MAX, &[f32::from_bits(1)]),
        mostly(f32::MAX, &[f32::NAN]),
        mostly(with_field(100, 0x007f_ffff), &[f32::INFINITY, f32::MIN]),
    ] {
        let elements = elements.repeat(27);
        check_sum(&elements);
        check_squares(&elements);
        let negative: Vec<f32> = elements.iter().map(|element| -element).collect();
        check_dot(&elements, &negative);
    }
}

/// A part that fits after one that does not, and the other way round, with every kind of end.
#[test]
fn fitting_parts_among_others() {
    let fitting = vec![1.5f32; 3000];
    let other = mostly(1e30, &[1e-30, -3e-10]);
    for len in [0, 1, 255, 256, 257, 1000, 1023, 1024, 1025, 2500, 5000] {
        for parts in
            [[&fitting, &other[..len], &fitting], [&other[..], &fitting[..len.min(3000)], &other]]
        {
            let elements = parts.concat();
            check_sum(&elements);
            check_squares(&elements);
        }
    }
}
