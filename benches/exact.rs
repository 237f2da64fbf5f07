//! Exact sums on the CPU, beside the crate `xsum` and a plain loop.
//!
//! `cargo bench --bench exact`. A row is the median of 31 rounds, in each of which every contestant adds up all
//! elements once: the noise of a shared machine hits all of them. `xsum` adds f64, converted beforehand, which
//! costs it memory bandwidth, but no time for the conversion.

use gridfold::{ExactSum, exact};
use std::{hint::black_box, time::Instant};
use xsum::{Xsum, XsumLarge, XsumSmall};

const ROUNDS: usize = 31;
/// Short inputs are added up repeatedly, so that a round is long enough for the clock.
const ROUND_ITEMS: usize = 1 << 22;

fn main() {
    let [extend, sum, large, small, plain] =
        ["extend", "sum", "XsumLarge", "XsumSmall", "f32 loop"];
    println!("nanoseconds per element; in brackets, times as long as extend");
    println!(
        "{:>8} {:>8} {extend:>8} {sum:>16} {large:>16} {small:>16} {plain:>16}",
        "data", "elements"
    );
    for (name, distribution) in
        [("uniform", uniform as fn(&mut u64) -> f32), ("normal", normal), ("wide", wide)]
    {
        for log2_len in [6, 10, 16, 24] {
            let mut state = 1;
            let elements: Vec<f32> = (0..1 << log2_len).map(|_| distribution(&mut state)).collect();
            row(name, log2_len, &elements);
        }
    }
}

fn row(name: &str, log2_len: u32, elements: &[f32]) {
    let converted: Vec<f64> = elements.iter().copied().map(f64::from).collect();
    let contestants: [&dyn Fn() -> f64; 5] = [
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
    ];
    let repeats = (ROUND_ITEMS / elements.len()).max(1);
    let mut times = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..repeats {
                black_box(contestant());
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / (repeats * elements.len()) as f64);
        }
    }
    let [extend, others @ ..] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    print!("{name:>8} {:>8} {extend:>8.2}", format!("2^{log2_len}"));
    for other in others {
        print!(" {:>16}", format!("{other:.2} ({:.2})", other / extend));
    }
    println!();
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
