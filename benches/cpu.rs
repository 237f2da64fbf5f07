//! Reductions on the CPU, beside what else a Rust program would call for the same.
//!
//! `cargo bench --bench cpu [-- LOG2_LENGTH]`. A row is the fastest of some rounds, in each of which every contestant
//! reduces all elements once, or as often as the clock needs: the noise of a shared machine hits all of them. Before that
//! their results are compared: those of integers, minimum and maximum have to be the same.
//!
//! * `ndarray`: `sum`, `product` and `dot` of an `ArrayView1`, or its `fold`.
//! * `rayon`: `sum`, `product`, `min` and `max` of a `par_iter`, or its `reduce`; `chunks`: `par_chunks` of 2^16 elements,
//!   each with the loop of 16.
//! * `iterator`: `fold` of a slice's iterator; `16`: a loop with 16 accumulators.
//!
//! The others' minima and maxima of f32s are made of `f32::min` and `f32::max`, which pass over NaNs and take either
//! zero; `if`: the loop of 16 with a plain comparison, to the same effect. Their products of f32s
//! are plain ones, which overflow and underflow midway.

use gridfold::{Element, Executor};
use ndarray::ArrayView1;
use rayon::prelude::*;
use std::{env, hint::black_box, time::Instant};

const MAX_LOG2_LEN: u32 = 26;
const CHUNK_ITEMS: usize = 1 << 16;
/// Elements and calls of a contestant in a round at least: the clock needs some time.
const ROUND_ITEMS: usize = 1 << 16;
const ROUND_CALLS: usize = 1 << 10;

type Contestant<'a, T> = (&'a str, &'a dyn Fn(&[T]) -> T);

/// The contestants of one operator, ours first. `$sum` and `$par_sum` are what ndarray and rayon have for it.
macro_rules! race {
    (
        $name:literal, $inputs:expr, $ours:expr, $ndarray:expr, $rayon:expr, $identity:expr, $combine:expr, $agree:expr
        $(, $more:expr)?
    ) => {
        race(
            $name,
            $inputs,
            &[
                ("ours", &$ours),
                ("ndarray", &$ndarray),
                ("rayon", &$rayon),
                ("chunks", &|elements| {
                    elements
                        .par_chunks(CHUNK_ITEMS)
                        .map(|chunk| sixteen(chunk, $identity, $combine))
                        .reduce(|| $identity, $combine)
                }),
                ("iterator", &|elements| {
                    elements.iter().fold($identity, |acc, &element| $combine(acc, element))
                }),
                ("16", &|elements| sixteen(elements, $identity, $combine)),
                $(("if", &$more),)?
            ],
            $agree,
        )
    };
}

macro_rules! integer_races {
    ($type:ty, $elements:expr, $lens:expr) => {
        let (elements, cpu) = ($elements, Executor::cpu());
        let inputs: Vec<&[$type]> = $lens.iter().map(|&len| &elements[..len]).collect();
        let same = |a, b, _| a == b;
        let (min, max) = (<$type>::MIN, <$type>::MAX);
        race!(
            "sum",
            &inputs,
            |x: &[$type]| cpu.sum(x).expect("the CPU does not fail"),
            |x: &[$type]| ArrayView1::from(x).fold(0, |a, b| <$type>::wrapping_add(a, *b)),
            |x: &[$type]| x.par_iter().sum(),
            0,
            <$type>::wrapping_add,
            same
        );
        race!(
            "product",
            &inputs,
            |x: &[$type]| cpu.product(x).expect("the CPU does not fail"),
            |x: &[$type]| ArrayView1::from(x).fold(1, |a, b| <$type>::wrapping_mul(a, *b)),
            |x: &[$type]| x.par_iter().copied().reduce(|| 1, <$type>::wrapping_mul),
            1,
            <$type>::wrapping_mul,
            same
        );
        race!(
            "min",
            &inputs,
            |x: &[$type]| cpu.min(x).expect("the CPU does not fail").unwrap_or(max),
            |x: &[$type]| ArrayView1::from(x).fold(max, |a, b| a.min(*b)),
            |x: &[$type]| x.par_iter().copied().min().unwrap_or(max),
            max,
            <$type>::min,
            same
        );
        race!(
            "max",
            &inputs,
            |x: &[$type]| cpu.max(x).expect("the CPU does not fail").unwrap_or(min),
            |x: &[$type]| ArrayView1::from(x).fold(min, |a, b| a.max(*b)),
            |x: &[$type]| x.par_iter().copied().max().unwrap_or(min),
            min,
            <$type>::max,
            same
        );
        race!(
            "bit_and",
            &inputs,
            |x: &[$type]| cpu.bit_and(x).expect("the CPU does not fail"),
            |x: &[$type]| ArrayView1::from(x).fold(!0, |a, b| a & b),
            |x: &[$type]| x.par_iter().copied().reduce(|| !0, |a, b| a & b),
            !0,
            |a, b| a & b,
            same
        );
        race!(
            "bit_or",
            &inputs,
            |x: &[$type]| cpu.bit_or(x).expect("the CPU does not fail"),
            |x: &[$type]| ArrayView1::from(x).fold(0, |a, b| a | b),
            |x: &[$type]| x.par_iter().copied().reduce(|| 0, |a, b| a | b),
            0,
            |a, b| a | b,
            same
        );
        race!(
            "bit_xor",
            &inputs,
            |x: &[$type]| cpu.bit_xor(x).expect("the CPU does not fail"),
            |x: &[$type]| ArrayView1::from(x).fold(0, |a, b| a ^ b),
            |x: &[$type]| x.par_iter().copied().reduce(|| 0, |a, b| a ^ b),
            0,
            |a, b| a ^ b,
            same
        );
    };
}

fn main() {
    let chosen = env::args().find_map(|argument| argument.parse::<u32>().ok());
    let lens: Vec<usize> = match chosen {
        Some(log2) => vec![1 << log2],
        None => (0..=MAX_LOG2_LEN).map(|log2| 1 << log2).collect(),
    };
    let longest = lens[lens.len() - 1] as u64;
    println!("{} threads; nanoseconds a reduction", rayon::current_num_threads());
    println!("ratio: ours to the fastest of the others");

    let floats: Vec<f32> = (0..longest).map(|number| near_one(random(number))).collect();
    float_races(&lens.iter().map(|&len| &floats[..len]).collect::<Vec<_>>());
    let right: Vec<f32> = (longest..2 * longest).map(|number| near_one(random(number))).collect();
    statistics_races(&lens.iter().map(|&len| &floats[..len]).collect::<Vec<_>>(), &right);
    let words: Vec<u32> = (0..longest).map(random).collect();
    integer_races!(u32, &words, &lens);
    let words: Vec<i32> = words.into_iter().map(u32::cast_signed).collect();
    integer_races!(i32, &words, &lens);
}

fn float_races(inputs: &[&[f32]]) {
    let cpu = Executor::cpu();
    let same = |a: f32, b: f32, _| a == b;
    race!(
        "sum",
        inputs,
        |x: &[f32]| cpu.sum(x).expect("the CPU does not fail"),
        |x: &[f32]| ArrayView1::from(x).sum(),
        |x: &[f32]| x.par_iter().sum(),
        0.0,
        |a, b| a + b,
        // A loop's sum is off by the number of its roundings at worst.
        |a: f32, b: f32, len: usize| (a - b).abs() <= b.abs() * len as f32 * f32::EPSILON
    );
    race!(
        "product",
        inputs,
        |x: &[f32]| cpu.product(x).expect("the CPU does not fail"),
        |x: &[f32]| ArrayView1::from(x).product(),
        |x: &[f32]| x.par_iter().product(),
        1.0,
        |a, b| a * b,
        // Where no loop underflows.
        |a: f32, b: f32, len: usize| len > 64
            || (a - b).abs() <= b.abs() * len as f32 * f32::EPSILON
    );
    race!(
        "min",
        inputs,
        |x: &[f32]| cpu.min(x).expect("the CPU does not fail").unwrap_or(f32::INFINITY),
        |x: &[f32]| ArrayView1::from(x).fold(f32::INFINITY, |a, &b| a.min(b)),
        |x: &[f32]| x.par_iter().copied().reduce(|| f32::INFINITY, f32::min),
        f32::INFINITY,
        f32::min,
        same,
        |x: &[f32]| sixteen(x, f32::INFINITY, |a, b| if b < a { b } else { a })
    );
    race!(
        "max",
        inputs,
        |x: &[f32]| cpu.max(x).expect("the CPU does not fail").unwrap_or(f32::NEG_INFINITY),
        |x: &[f32]| ArrayView1::from(x).fold(f32::NEG_INFINITY, |a, &b| a.max(b)),
        |x: &[f32]| x.par_iter().copied().reduce(|| f32::NEG_INFINITY, f32::max),
        f32::NEG_INFINITY,
        f32::max,
        same,
        |x: &[f32]| sixteen(x, f32::NEG_INFINITY, |a, b| if b > a { b } else { a })
    );
}

/// Norms, and dot products with as many elements of `right`.
fn statistics_races(inputs: &[&[f32]], right: &[f32]) {
    let cpu = Executor::cpu();
    // A loop's sum is off by the number of its roundings at worst.
    let agree = |a: f32, b: f32, len: usize| (a - b).abs() <= b.abs() * len as f32 * f32::EPSILON;
    let squares = |x: &[f32]| x.iter().map(|x| x * x).sum::<f32>();
    race(
        "norm",
        inputs,
        &[
            ("ours", &|x| cpu.norm(x).expect("the CPU does not fail")),
            ("ndarray", &|x| ArrayView1::from(x).dot(&ArrayView1::from(x)).sqrt()),
            ("rayon", &|x| x.par_iter().map(|x| x * x).sum::<f32>().sqrt()),
            ("chunks", &|x| {
                x.par_chunks(CHUNK_ITEMS).map(|x| sixteen_products(x, x)).sum::<f32>().sqrt()
            }),
            ("iterator", &|x| squares(x).sqrt()),
            ("16", &|x| sixteen_products(x, x).sqrt()),
        ],
        agree,
    );
    race(
        "dot",
        inputs,
        &[
            ("ours", &|x| cpu.dot(x, &right[..x.len()]).expect("the CPU does not fail")),
            ("ndarray", &|x| ArrayView1::from(x).dot(&ArrayView1::from(&right[..x.len()]))),
            ("rayon", &|x| x.par_iter().zip(&right[..x.len()]).map(|(x, y)| x * y).sum::<f32>()),
            ("chunks", &|x| {
                x.par_chunks(CHUNK_ITEMS)
                    .zip(right.par_chunks(CHUNK_ITEMS))
                    .map(|(x, y)| sixteen_products(x, &y[..x.len()]))
                    .sum::<f32>()
            }),
            ("iterator", &|x| x.iter().zip(right).map(|(x, y)| x * y).sum::<f32>()),
            ("16", &|x| sixteen_products(x, &right[..x.len()])),
        ],
        agree,
    );
}

/// The sum of products by a loop with 16 accumulators.
fn sixteen_products(left: &[f32], right: &[f32]) -> f32 {
    let mut accumulators = [0.0; 16];
    let (left, left_rest) = left.as_chunks::<16>();
    let (right, right_rest) = right.as_chunks::<16>();
    for (left, right) in left.iter().zip(right) {
        for (acc, (x, y)) in accumulators.iter_mut().zip(left.iter().zip(right)) {
            *acc += x * y;
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(x, y)| x * y).sum::<f32>();
    accumulators.iter().sum::<f32>() + rest
}

/// A loop with 16 accumulators.
fn sixteen<T: Copy>(elements: &[T], identity: T, combine: impl Fn(T, T) -> T) -> T {
    let mut accumulators = [identity; 16];
    let (groups, rest) = elements.as_chunks::<16>();
    for group in groups {
        for (acc, &element) in accumulators.iter_mut().zip(group) {
            *acc = combine(*acc, element);
        }
    }
    accumulators.iter().chain(rest).fold(identity, |acc, &element| combine(acc, element))
}

/// A table of one operator: a row for each input.
fn race<T: Element + std::fmt::Display>(
    operator: &str,
    inputs: &[&[T]],
    contestants: &[Contestant<T>],
    agree: impl Fn(T, T, usize) -> bool,
) {
    println!();
    print!("{operator:>8} {:>4}", T::TYPE.name());
    for (name, _) in contestants {
        print!(" {name:>11}");
    }
    println!("  ratio");
    for elements in inputs {
        let wanted = contestants[0].1(elements);
        for (name, reduce) in &contestants[1..] {
            let found = reduce(elements);
            assert!(
                agree(wanted, found, elements.len()),
                "{operator}, {name}: {found}, not {wanted}"
            );
        }
        let times = fastest_times(elements, contestants);
        print!("{:>13}", format!("2^{}", elements.len().ilog2()));
        for time in &times {
            print!(" {time:>11.1}");
        }
        let fastest = times[1..].iter().copied().fold(f64::INFINITY, f64::min);
        println!(" {:>6.2}", times[0] / fastest);
    }
}

/// Nanoseconds that each contestant takes.
fn fastest_times<T>(elements: &[T], contestants: &[Contestant<T>]) -> Vec<f64> {
    let calls = (ROUND_ITEMS / elements.len()).clamp(1, ROUND_CALLS);
    let rounds = if elements.len() <= 1 << 20 { 31 } else { 9 };
    let mut fastest = vec![f64::INFINITY; contestants.len()];
    for _ in 0..rounds {
        for ((_, reduce), fastest) in contestants.iter().zip(&mut fastest) {
            let start = Instant::now();
            for _ in 0..calls {
                black_box(reduce(black_box(elements)));
            }
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
        }
    }
    fastest
}

/// The upper half of splitmix64.
fn random(number: u64) -> u32 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let [.., a, b, c, d] = (z ^ (z >> 31)).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// From 1/2 to 3/2.
fn near_one(bits: u32) -> f32 {
    (bits >> 8) as f32 / (1 << 24) as f32 + 0.5
}
