//! Operators of a user's own, with twins.

use gridfold::{Bins, Bits, CustomOperator, Element, Executor, Scan};
use std::ops::Range;

/// An operator, and what its twin is made of.
pub struct Example<T, A, Out> {
    pub name: &'static str,
    pub operator: CustomOperator<T, Out>,
    identity: A,
    lift: fn(T) -> A,
    combine: fn(A, A) -> A,
    finish: fn(A) -> Out,
}

impl<T: Element, A: Copy, Out> Example<T, A, Out> {
    /// The result by definition: one after another.
    pub fn result(&self, elements: &[T]) -> Out {
        let combine = |total, &element| (self.combine)(total, (self.lift)(element));
        (self.finish)(elements.iter().fold(self.identity, combine))
    }

    /// The results of a scan by definition: one after another.
    pub fn scan(&self, scan: Scan<T>, elements: &[T]) -> Vec<Out> {
        let mut total = scan.initial_value().map_or(self.identity, self.lift);
        let results = elements.iter().map(|&element| {
            let before = total;
            total = (self.combine)(total, (self.lift)(element));
            (self.finish)(if scan.is_inclusive() { total } else { before })
        });
        results.collect()
    }
}

/// Lengths, flags, runs, groups, keys and axes of slices and of arrays, each segment by definition.
pub fn check_segments<T: Element, A: Copy, Out>(
    executor: &Executor,
    example: &Example<T, A, Out>,
    elements: &[T],
) where
    Out: gridfold::CustomOut,
{
    let (operator, name) = (&example.operator, example.name);
    let all = &elements[..900];
    let array = executor.upload(all).expect("uploads");
    let of_ranges = |ranges: Vec<Range<usize>>| -> Vec<Out> {
        ranges.into_iter().map(|range| example.result(&all[range])).collect()
    };

    let wanted = of_ranges(vec![0..0, 0..1, 1..17, 17..17, 17..800]);
    let lengths = [0u32, 1, 16, 0, 783];
    let found = executor.reduce_lengths(all, &lengths, operator.clone()).expect("reduces");
    assert_eq!(found, wanted, "lengths by {name}");
    assert_eq!(array.reduce_lengths(&lengths, operator.clone()).expect("reduces"), wanted);
    array.reduce_lengths(&[900, 1], operator.clone()).map(|_| ()).expect_err("too long");

    let begins = [7usize, 8, 40, 57, 899];
    let wanted = of_ranges(vec![7..8, 8..40, 40..57, 57..899, 899..900]);
    let flags: Vec<u32> = (0..900).map(|at| u32::from(begins.contains(&at))).collect();
    let mut bits: Vec<Bits> = flags
        .chunks(32)
        .map(|chunk| Bits((0..).zip(chunk).map(|(bit, flag)| flag << bit).sum()))
        .collect();
    let found = executor.reduce_flagged(all, &flags, operator.clone()).expect("reduces");
    assert_eq!(found, wanted, "flags by {name}");
    let none = executor.reduce_flagged(all, &[0u32; 900], operator.clone()).expect("reduces");
    assert_eq!(none, [], "no flags by {name}");
    // Bits behind the elements are of none.
    bits[28].0 |= 0xffff_fff0;
    let flags = executor.upload(&bits).expect("uploads");
    assert_eq!(array.reduce_flagged(&flags, operator.clone()).expect("reduces"), wanted);

    let keys: Vec<u32> = (0..900).map(|at| if at < 300 { at / 90 } else { 7 - at / 300 }).collect();
    let wanted_keys = [0u32, 1, 2, 3, 6, 5];
    let wanted = of_ranges(vec![0..90, 90..180, 180..270, 270..300, 300..600, 600..900]);
    let found = executor.reduce_by_runs(&keys, all, operator.clone()).expect("reduces");
    assert_eq!(found, (wanted_keys.to_vec(), wanted.clone()), "runs by {name}");
    let (unique, found) = array
        .reduce_by_runs(&executor.upload(&keys).expect("uploads"), operator.clone())
        .expect("reduces");
    assert_eq!(unique.download().expect("downloads"), wanted_keys);
    assert_eq!(found, wanted, "runs of an array by {name}");

    let of_group = |number: u32| if number % 13 == 5 { u32::MAX } else { number % 13 };
    let numbers: Vec<u32> =
        (0..900u32).map(|at| of_group(at.wrapping_mul(2_654_435_761) >> 7)).collect();
    let own = |group: u32| {
        let own = all.iter().zip(&numbers).filter(|(_, number)| **number == group);
        own.map(|(element, _)| *element).collect::<Vec<T>>()
    };
    let wanted: Vec<Out> = (0..15).map(|group| example.result(&own(group))).collect();
    let found = executor.reduce_groups(all, &numbers, 15, operator.clone()).expect("reduces");
    assert_eq!(found, wanted, "groups by {name}");
    let on_device = executor.upload(&numbers).expect("uploads");
    assert_eq!(array.reduce_groups(&on_device, 15, operator.clone()).expect("reduces"), wanted);
    let none = array.reduce_groups(&on_device, 0, operator.clone()).expect("reduces");
    assert_eq!(none, [], "no groups by {name}");
    let (unique, found) = executor.reduce_by_key(&numbers, all, operator.clone()).expect("reduces");
    let wanted: Vec<Out> = unique.iter().map(|&key| example.result(&own(key))).collect();
    assert!(unique.is_sorted() && unique.last() == Some(&u32::MAX), "{unique:?}");
    assert_eq!(found, wanted, "keys by {name}");

    // Keys of no number, and on both sides of all bins. Of so many bins a device takes some after the others.
    let keys: Vec<f32> = (0..900u16)
        .map(|at| if at % 50 == 3 { f32::NAN } else { f32::from(at * 37 % 900) * 5.0 - 40.0 })
        .collect();
    let keys_on_device = executor.upload(&keys).expect("uploads");
    for count in [7u16, 4100] {
        let bins = Bins::even(count.into(), 0.0..=4100.0).expect("there are such");
        let width = 4100.0 / f32::from(count);
        let mut own = vec![Vec::new(); count.into()];
        for (&key, &element) in keys.iter().zip(all) {
            let bin = (0..count).find(|&bin| {
                let [begin, end] = [bin, bin + 1].map(|edge| f32::from(edge) * width);
                begin <= key && (key < end || bin + 1 == count && key == 4100.0)
            });
            if let Some(bin) = bin {
                own[usize::from(bin)].push(element);
            }
        }
        assert!(own.iter().filter(|own| !own.is_empty()).count() > 6);
        let wanted: Vec<Out> = own.iter().map(|own| example.result(own)).collect();
        let found = executor.reduce_bins(all, &keys, &bins, operator.clone()).expect("reduces");
        assert_eq!(found, wanted, "{count} bins by {name}");
        let found = array.reduce_bins(&keys_on_device, &bins, operator.clone()).expect("reduces");
        assert_eq!(found, wanted, "{count} bins of an array by {name}");
        executor.reduce_bins(all, &keys[1..], &bins, operator.clone()).expect_err("too few");
        array
            .reduce_bins(&keys_on_device.slice(1..900).expect("within"), &bins, operator.clone())
            .expect_err("too few");
    }

    let shape = [6, 15, 10];
    let apart: Vec<Out> = (0..15)
        .map(|row| {
            let own = (0..60).map(|i| all[(i / 10 * 15 + row) * 10 + i % 10]);
            example.result(&own.collect::<Vec<T>>())
        })
        .collect();
    let first: Vec<Out> = (0..10)
        .map(|column| {
            example.result(&all.iter().skip(column).step_by(10).copied().collect::<Vec<T>>())
        })
        .collect();
    for (axes, wanted) in
        [(&[2, 0][..], apart), (&[0, 1], first), (&[0, 1, 2], vec![example.result(all)])]
    {
        let found = executor.reduce_axes(all, &shape, axes, operator.clone()).expect("reduces");
        assert_eq!(found, wanted, "axes {axes:?} by {name}");
        assert_eq!(array.reduce_axes(&shape, axes, operator.clone()).expect("reduces"), wanted);
    }
    executor.reduce_axes(all, &shape, &[1, 1], operator.clone()).map(|_| ()).expect_err("twice");
}

macro_rules! example {
    (
        $name:ident($order:ident $text:literal): $element:ty => $acc:ty => $out:ty,
        $identity:expr, $lift:expr, $combine:expr, $finish:expr
    ) => {
        pub fn $name() -> Example<$element, $acc, $out> {
            let lift: fn($element) -> $acc = $lift;
            let combine: fn($acc, $acc) -> $acc = $combine;
            let finish: fn($acc) -> $out = $finish;
            let operator = CustomOperator::$order(include_str!($text)).expect("it is right");
            let operator = operator.with_twin($identity, lift, combine, finish);
            Example {
                name: stringify!($name),
                operator,
                identity: $identity,
                lift,
                combine,
                finish,
            }
        }
    };
}

example!(affine(ordered "affine.wgsl"): u32 => [u32; 2] => [u32; 2],
    [1, 0],
    |x| [x | 1, x ^ 0x9e37_79b9],
    compose,
    |total| total
);

/// First a, then b.
fn compose(a: [u32; 2], b: [u32; 2]) -> [u32; 2] {
    [a[0].wrapping_mul(b[0]), a[1].wrapping_mul(b[0]).wrapping_add(b[1])]
}

fn multiply(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    let entry = |row: usize, column: usize| {
        let left = a[2 * row].wrapping_mul(b[column]);
        left.wrapping_add(a[2 * row + 1].wrapping_mul(b[2 + column]))
    };
    [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)]
}

example!(maps(ordered "maps.wgsl"): [u32; 2] => [u32; 2] => [u32; 2],
    [1, 0], |map| map, compose, |total| total
);

example!(matrix(ordered "matrix.wgsl"): u32 => [u32; 4] => [u32; 4],
    [1, 0, 0, 1],
    |x| [x, 1, x >> 3, x.wrapping_mul(x)],
    multiply,
    |total| total
);

example!(matrices(ordered "matrices.wgsl"): [u32; 4] => [u32; 4] => [u32; 4],
    [1, 0, 0, 1], |matrix| matrix, multiply, |total| total
);

example!(matrix_of_four(ordered "matrix_of_four.wgsl"): u32 => [u32; 16] => [u32; 16],
    std::array::from_fn(|i| u32::from(i % 5 == 0)),
    |x| [x, 1, 2, x >> 7, x.wrapping_mul(x), 3, 0, 1, 1, x ^ 5, 1, 0, 0, 1, x >> 1, 7],
    |a, b| {
        std::array::from_fn(|i| {
            let products = (0..4).map(|k| a[i / 4 * 4 + k].wrapping_mul(b[4 * k + i % 4]));
            products.fold(0, u32::wrapping_add)
        })
    },
    |total| total
);

example!(hash(ordered "hash.wgsl"): u8 => [u32; 2] => u32,
    [0, 1],
    |byte| [byte.into(), 31],
    |a, b| [a[0].wrapping_mul(b[1]).wrapping_add(b[0]), a[1].wrapping_mul(b[1])],
    |total| total[0]
);

/// Of the longest run.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Runs {
    count: u32,
    first: i32,
    last: i32,
    at_begin: u32,
    at_end: u32,
    longest: u32,
}

example!(longest_run(ordered "longest_run.wgsl"): i32 => Runs => [u32; 2],
    Runs { count: 0, first: 0, last: 0, at_begin: 0, at_end: 0, longest: 0 },
    |x| Runs { count: 1, first: x, last: x, at_begin: 1, at_end: 1, longest: 1 },
    |a, b| {
        if a.count == 0 || b.count == 0 {
            return if a.count == 0 { b } else { a };
        }
        let joins = a.last == b.first;
        let is_whole = |of: Runs| joins && of.longest == of.count;
        let between = if joins { a.at_end + b.at_begin } else { 0 };
        Runs {
            count: a.count + b.count,
            first: a.first,
            last: b.last,
            at_begin: a.at_begin + if is_whole(a) { b.at_begin } else { 0 },
            at_end: b.at_end + if is_whole(b) { a.at_end } else { 0 },
            longest: a.longest.max(b.longest).max(between),
        }
    },
    |total| [total.longest, total.count]
);

example!(gcd(commutative "gcd.wgsl"): u32 => u32 => u32,
    0,
    |x| x,
    |a, b| {
        let (mut x, mut y) = (a, b);
        while y != 0 {
            (x, y) = (y, x % y);
        }
        x
    },
    |total| total
);

example!(extent(commutative "extent.wgsl"): f32 => [f32; 2] => [f32; 2],
    [3e38, -3e38],
    |x| [x, x],
    |a, b| [a[0].min(b[0]), a[1].max(b[1])],
    |total| total
);

example!(components(commutative "components.wgsl"): [u32; 3] => u32 => u32,
    0,
    |p| p[0].wrapping_mul(p[1]).wrapping_add(p[2]),
    u32::wrapping_add,
    |total| total
);

example!(words(commutative "words.wgsl"): u64 => u64 => u64, 0, |x| x, |a, b| a ^ b, |total| total);
