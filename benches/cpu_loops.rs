//! Expressions and scans on the CPU, beside loops that a user would write in Rust, which LLVM may vectorize.
//!
//! `cargo bench --bench cpu_loops [-- LOG2_LENGTH]`. On one core and then on all: nanoseconds an element of the fastest of some rounds, in each of
//! which both contestants run once, or as often as the clock needs. ratio: ours to the loop's. Before that their results are compared.
//!
//! * `x * x`: of f32s the loop adds up neighbours, level after level, in blocks of 1024 elements, and the blocks' totals by halves. This is the order of
//!   our sums, so the bits are the same. `any order`: the loop has 16 accumulators, which promise no order. Of u32s sums have no order.
//! * `x > 1.0`: the loop filters, and counts.
//! * scans are inclusive sums. The loop has one running total. So of f32s its order is another one than ours, and its error is larger. On all cores each core
//!   adds up a part first, and then writes the part's running totals. Both allocate memory for the results.
//!
//! On all cores loops of expressions go through parts of 2^16 elements.

use gridfold::{Executor, Map, Predicate, Sum};
use rayon::prelude::*;
use std::{env, error::Error, hint::black_box, time::Instant};

const LOG2_LENS: [u32; 4] = [10, 16, 20, 24];
/// Elements and calls of a contestant in a round at least: the clock needs some time.
const ROUND_ITEMS: usize = 1 << 16;
const ROUND_CALLS: usize = 1 << 10;
/// Of what one thread does at a time.
const PART_ITEMS: usize = 1 << 16;
/// Of what fits the fastest cache.
const BLOCK_ITEMS: usize = 1 << 10;

type Outcome = Result<(), Box<dyn Error>>;

/// Whether loops run on all cores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cores {
    One,
    All,
}

fn main() -> Outcome {
    let chosen = env::args().find_map(|argument| argument.parse::<u32>().ok());
    let logs = chosen.map_or(LOG2_LENS.to_vec(), |log2_len| vec![log2_len]);
    let longest = logs.iter().copied().max().unwrap_or(0);
    let words: Vec<u32> = (0..1u64 << longest).map(random).collect();
    let floats: Vec<f32> = words.iter().map(|&bits| near_one(bits)).collect();
    // What runs in a pool of one thread has one core.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    alone.install(|| tables("one core", Cores::One, &logs, &words, &floats).map_err(text))?;
    let all = format!("{} threads", rayon::current_num_threads());
    tables(&all, Cores::All, &logs, &words, &floats)
}

/// It is sent between threads.
fn text(error: Box<dyn Error>) -> String {
    error.to_string()
}

fn tables(title: &str, cores: Cores, logs: &[u32], words: &[u32], floats: &[f32]) -> Outcome {
    println!("{title}; nanoseconds an element");
    println!("{:26} {:>8} {:>9} {:>9} {:>7}", "", "elements", "ours", "loop", "ratio");
    for &log2_len in logs {
        let len = 1 << log2_len;
        expressions(cores, &words[..len], &floats[..len])?;
        scans(cores, &words[..len], &floats[..len])?;
    }
    println!();
    Ok(())
}

fn expressions(cores: Cores, words: &[u32], floats: &[f32]) -> Outcome {
    let cpu = Executor::cpu();
    let square = Map::<f32>::new("x * x")?;
    let ours = || cpu.reduce_map(&square, floats, Sum).map(|sum| sum.value);
    let sum = ours()?;
    let same = pairwise(cores, floats);
    if sum.to_bits() != same.to_bits() {
        return Err(format!("the sum of squares is {sum}, and the loop's {same}").into());
    }
    row("f32 x * x, summed", floats.len(), &ours, &|| pairwise(cores, floats));
    let any = sixteen(cores, floats);
    check_near(sum, any, floats.len())?;
    row("the same, any order", floats.len(), &ours, &|| sixteen(cores, floats));

    let square = Map::<u32>::new("x * x")?;
    let ours = || cpu.reduce_map(&square, words, Sum).map(|sum| sum.value);
    let by_loop = || {
        by_parts(cores, words, |part| {
            part.iter().fold(0u32, |sum, &x| sum.wrapping_add(x.wrapping_mul(x)))
        })
        .into_iter()
        .fold(0, u32::wrapping_add)
    };
    check_same(ours()?, by_loop())?;
    row("u32 x * x, summed", words.len(), &ours, &by_loop);

    let above = Predicate::<f32>::new("x > 1.0")?;
    let ours = || cpu.count_if(floats, &above);
    let by_loop = || {
        by_parts(cores, floats, |part| part.iter().filter(|&&x| x > 1.0).count() as u64)
            .into_iter()
            .sum::<u64>()
    };
    check_same(ours()?, by_loop())?;
    row("f32 x > 1.0, counted", floats.len(), &ours, &by_loop);
    Ok(())
}

fn scans(cores: Cores, words: &[u32], floats: &[f32]) -> Outcome {
    let cpu = Executor::cpu();
    let ours = || cpu.inclusive_scan(words, Sum);
    let by_loop = || running(cores, words, 0, u32::wrapping_add);
    if ours()? != by_loop() {
        return Err("a scan of u32s is not the loop's".into());
    }
    row("u32 sums, scanned", words.len(), &ours, &by_loop);
    let ours = || cpu.inclusive_scan(floats, Sum);
    let by_loop = || running(cores, floats, 0.0, |a, b| a + b);
    for ((number, ours), by_loop) in (1..).zip(ours()?).zip(by_loop()) {
        check_near(ours, by_loop, number)?;
    }
    row("f32 sums, scanned", floats.len(), &ours, &by_loop);
    Ok(())
}

/// The sum of squares in the pairwise order, of a power of two of elements.
fn pairwise(cores: Cores, elements: &[f32]) -> f32 {
    let parts = by_parts(cores, elements, |part| halves(part, &|x| x * x));
    halves(&parts, &|total| total)
}

/// The total of two halves, and theirs. Blocks go level by level instead: that is the same order.
fn halves(elements: &[f32], lift: &impl Fn(f32) -> f32) -> f32 {
    if elements.len() > BLOCK_ITEMS {
        let (left, right) = elements.split_at(elements.len() / 2);
        return halves(left, lift) + halves(right, lift);
    }
    let mut level = [0.0; BLOCK_ITEMS];
    let mut next = [0.0; BLOCK_ITEMS / 2];
    for (total, &x) in level.iter_mut().zip(elements) {
        *total = lift(x);
    }
    let mut left = elements.len();
    while left > 1 {
        for (total, [a, b]) in next.iter_mut().zip(level[..left].as_chunks::<2>().0) {
            *total = a + b;
        }
        left /= 2;
        level[..left].copy_from_slice(&next[..left]);
    }
    level[0]
}

/// The sum of squares by loops with 16 accumulators.
fn sixteen(cores: Cores, elements: &[f32]) -> f32 {
    let of_part = |part: &[f32]| {
        let mut accumulators = [0.0; 16];
        let (groups, rest) = part.as_chunks::<16>();
        for group in groups {
            for (acc, x) in accumulators.iter_mut().zip(group) {
                *acc += x * x;
            }
        }
        accumulators.iter().sum::<f32>() + rest.iter().map(|x| x * x).sum::<f32>()
    };
    by_parts(cores, elements, of_part).into_iter().sum()
}

/// What `fold` makes of the parts: on one core there is one.
fn by_parts<T: Sync, R: Send>(
    cores: Cores,
    elements: &[T],
    fold: impl Fn(&[T]) -> R + Send + Sync,
) -> Vec<R> {
    match cores {
        Cores::One => vec![fold(elements)],
        Cores::All => elements.par_chunks(PART_ITEMS).map(fold).collect(),
    }
}

/// The running totals. On all cores first those of the parts, one for each core.
fn running<T: Copy + Send + Sync>(
    cores: Cores,
    elements: &[T],
    identity: T,
    add: impl Fn(T, T) -> T + Sync,
) -> Vec<T> {
    let totals = |elements: &[T], before: T| -> Vec<T> {
        let mut total = before;
        elements
            .iter()
            .map(|&element| {
                total = add(total, element);
                total
            })
            .collect()
    };
    if cores == Cores::One {
        return totals(elements, identity);
    }
    let part_items = elements.len().div_ceil(rayon::current_num_threads());
    let of_parts: Vec<T> = elements
        .par_chunks(part_items)
        .map(|part| part.iter().fold(identity, |total, &element| add(total, element)))
        .collect();
    let behind = totals(&of_parts, identity);
    let before = std::iter::once(identity).chain(behind);
    let mut results = vec![identity; elements.len()];
    let parts = elements.chunks(part_items).zip(results.chunks_mut(part_items)).zip(before);
    rayon::scope(|scope| {
        for ((elements, results), before) in parts {
            let add = &add;
            scope.spawn(move |_| {
                let mut total = before;
                for (result, &element) in results.iter_mut().zip(elements) {
                    total = add(total, element);
                    *result = total;
                }
            });
        }
    });
    results
}

fn check_same<T: PartialEq + std::fmt::Display>(ours: T, by_loop: T) -> Outcome {
    if ours == by_loop {
        return Ok(());
    }
    Err(format!("ours is {ours}, and the loop's {by_loop}").into())
}

/// A loop's sum of positive numbers is off by the number of its roundings at worst.
fn check_near(ours: f32, by_loop: f32, len: usize) -> Outcome {
    if (ours - by_loop).abs() <= by_loop * len as f32 * f32::EPSILON {
        return Ok(());
    }
    Err(format!("ours is {ours}, and the loop's {by_loop}, of {len} elements").into())
}

fn row<A, B>(name: &str, len: usize, ours: &dyn Fn() -> A, by_loop: &dyn Fn() -> B) {
    let calls = (ROUND_ITEMS / len).clamp(1, ROUND_CALLS);
    let rounds = if len <= 1 << 20 { 31 } else { 9 };
    let mut fastest = [f64::INFINITY; 2];
    let time = |run: &dyn Fn()| {
        let begin = Instant::now();
        for _ in 0..calls {
            run();
        }
        begin.elapsed().as_secs_f64() * 1e9 / (calls * len) as f64
    };
    for _ in 0..rounds {
        fastest[0] = fastest[0].min(time(&|| drop(black_box(ours()))));
        fastest[1] = fastest[1].min(time(&|| drop(black_box(by_loop()))));
    }
    let [ours, by_loop] = fastest;
    let elements = format!("2^{}", len.ilog2());
    println!("{name:26} {elements:>8} {ours:>9.3} {by_loop:>9.3} {:>7.2}", ours / by_loop);
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
