//! Exact sums, and sums of products, on the CPU, beside the crate `xsum` and plain loops.
//!
//! `cargo bench --bench exact [-- LOG2_LENGTH]`. A row is the fastest of 31 rounds, in each of which every contestant adds up
//! all elements once: the noise of a shared machine hits all of them. `xsum` adds f64, converted beforehand, which
//! costs it memory bandwidth, but no time for the conversion. `16`: a loop with 16 accumulators, which rounds.

use gridfold::{ExactDot, ExactMoments, ExactSum, exact};
use std::{env, hint::black_box, time::Instant};
use xsum::{Xsum, XsumLarge, XsumSmall};

const ROUNDS: usize = 31;
/// Short inputs are added up repeatedly, so that a round is long enough for the clock.
const ROUND_ITEMS: usize = 1 << 22;

type Distribution = (&'static str, fn(&mut u64) -> f32);
const DISTRIBUTIONS: [Distribution; 3] = [("uniform", uniform), ("normal", normal), ("wide", wide)];
const LOG2_LENS: [u32; 4] = [6, 10, 16, 24];
/// Times in a row.
const COLUMNS: usize = 6;

fn main() {
    println!("nanoseconds per element; in brackets, times as long as extend");
    heading(["extend", "sum", "XsumLarge", "XsumSmall", "f32 loop", "16"]);
    for_each_input(|elements, _| {
        let converted: Vec<f64> = elements.iter().copied().map(f64::from).collect();
        fastest(
            elements.len(),
            [
                &|| {
                    let mut sum = ExactSum::default();
                    sum.extend(black_box(elements));
                    f64::from(sum.to_f32())
                },
                &|| f64::from(exact::sum(black_box(elements)).to_f32()),
                &|| {
                    let mut sum = XsumLarge::new();
                    sum.add_list(black_box(&converted));
                    sum.sum()
                },
                &|| {
                    let mut sum = XsumSmall::new();
                    sum.add_list(black_box(&converted));
                    sum.sum()
                },
                &|| f64::from(black_box(elements).iter().sum::<f32>()),
                &|| f64::from(sixteen(black_box(elements))),
            ],
        )
    });
    println!();
    println!("the same for pairs of elements");
    heading(["extend", "dot", "norm", "variance", "f32 loop", "16"]);
    for_each_input(|left, right| {
        fastest(
            left.len(),
            [
                &|| {
                    let mut dot = ExactDot::default();
                    dot.extend(black_box(left), black_box(right)).expect("of one length");
                    f64::from(dot.to_f32())
                },
                &|| {
                    let dot = exact::dot(black_box(left), black_box(right));
                    f64::from(dot.expect("of one length").to_f32())
                },
                &|| {
                    let mut squares = ExactDot::default();
                    squares.extend_squares(black_box(left));
                    f64::from(squares.norm_f32())
                },
                &|| {
                    let mut moments = ExactMoments::default();
                    moments.extend(black_box(left));
                    f64::from(moments.variance_f32())
                },
                &|| {
                    let pairs = black_box(left).iter().zip(black_box(right));
                    f64::from(pairs.map(|(x, y)| x * y).sum::<f32>())
                },
                &|| f64::from(sixteen_products(black_box(left), black_box(right))),
            ],
        )
    });
}

/// A line of names over the columns.
fn heading([extend, others @ ..]: [&str; COLUMNS]) {
    print!("{:>8} {:>8} {extend:>8}", "data", "elements");
    for other in others {
        print!(" {other:>16}");
    }
    println!();
}

/// The one that was asked for, or all.
fn log2_lens() -> Vec<u32> {
    match env::args().find_map(|argument| argument.parse().ok()) {
        Some(log2_len) => vec![log2_len],
        None => LOG2_LENS.to_vec(),
    }
}

/// A row for each distribution and length, of two slices.
fn for_each_input(row: impl Fn(&[f32], &[f32]) -> [f64; COLUMNS]) {
    for (name, distribution) in DISTRIBUTIONS {
        for log2_len in log2_lens() {
            let mut state = 1;
            let elements: Vec<f32> = (0..2 << log2_len).map(|_| distribution(&mut state)).collect();
            let (left, right) = elements.split_at(1 << log2_len);
            let [extend, others @ ..] = row(left, right);
            print!("{name:>8} {:>8} {extend:>8.2}", format!("2^{log2_len}"));
            for other in others {
                print!(" {:>16}", format!("{other:.2} ({:.2})", other / extend));
            }
            println!();
        }
    }
}

/// Nanoseconds per element that each contestant takes.
fn fastest(len: usize, contestants: [&dyn Fn() -> f64; COLUMNS]) -> [f64; COLUMNS] {
    let repeats = (ROUND_ITEMS / len).max(1);
    let mut times = [const { Vec::new() }; COLUMNS];
    for _ in 0..ROUNDS {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..repeats {
                black_box(contestant());
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / (repeats * len) as f64);
        }
    }
    times.map(|times| times.into_iter().fold(f64::INFINITY, f64::min))
}

/// The sum by a loop with 16 accumulators.
fn sixteen(elements: &[f32]) -> f32 {
    let mut accumulators = [0.0; 16];
    for group in elements.as_chunks::<16>().0 {
        for (acc, element) in accumulators.iter_mut().zip(group) {
            *acc += element;
        }
    }
    accumulators.iter().sum()
}

/// The dot product by such a loop.
fn sixteen_products(left: &[f32], right: &[f32]) -> f32 {
    let mut accumulators = [0.0; 16];
    for (left, right) in left.as_chunks::<16>().0.iter().zip(right.as_chunks::<16>().0) {
        for (acc, (x, y)) in accumulators.iter_mut().zip(left.iter().zip(right)) {
            *acc += x * y;
        }
    }
    accumulators.iter().sum()
}

/// Splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// In [0, 1).
fn uniform(state: &mut u64) -> f32 {
    (random(state) >> 40) as f32 / (1 << 24) as f32
}

/// Mean 0, variance 1, by Box and Muller.
fn normal(state: &mut u64) -> f32 {
    let (radius, angle) = (1.0 - uniform(state), uniform(state));
    (-2.0 * radius.ln()).sqrt() * (std::f32::consts::TAU * angle).cos()
}

/// Any sign, any exponent from -40 to 40.
fn wide(state: &mut u64) -> f32 {
    let exponent = i32::try_from(random(state) % 81).expect("small") - 40;
    (2.0 * uniform(state) - 1.0) * 2.0f32.powi(exponent)
}
