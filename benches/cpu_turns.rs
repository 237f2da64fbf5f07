//! The CPU's operators by two builds of this library, in turns: whether a change has cost anything.
//!
//! `cargo bench --bench cpu_turns -- OTHER [TURNS]`, where OTHER is this bench's program as another commit builds it. Both programs run in turns,
//! 21 times each or as often as TURNS says, so that the noise of a shared machine hits both. A row has the least time of each, to which noise has added least. Without OTHER there is one turn alone.

use gridfold::{ArgMax, Executor, Max, Scan, Sum, SumWide, Variance, half::f16};
use std::{collections::BTreeMap, env, hint::black_box, process::Command, time::Instant};

const TURNS: usize = 21;
const LOG2_LENS: [u32; 3] = [10, 16, 24];
/// Elements of a segment.
const SEGMENT: usize = 100;
/// A round takes as long at least.
const ROUND_NS: u128 = 1_000_000;

/// Each row's numbers, by its name.
type Rows = BTreeMap<String, Vec<f64>>;

fn main() {
    let mut args = env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let Some(other) = args.next() else { return turn() };
    let turns = args.next().map_or(TURNS, |turns| turns.parse().expect("a number of turns"));
    let own = env::current_exe().expect("this program has a path");
    let mut rows = [Rows::new(), Rows::new()];
    for _ in 0..turns {
        for (rows, program) in rows.iter_mut().zip([other.as_ref(), own.as_path()]) {
            let output = Command::new(program).output().expect("the program runs");
            assert!(output.status.success(), "{} has failed", program.display());
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let (name, ns) = line.rsplit_once(' ').expect("a name and a number");
                let ns = ns.parse().expect("a number");
                rows.entry(name.to_owned()).or_default().push(ns);
            }
        }
    }
    let [other, own] = rows;
    println!("| operator, elements | other, ns | this, ns | ratio |\n|---|---|---|---|");
    for (name, own) in own {
        let least = |ns: &[f64]| ns.iter().copied().fold(f64::INFINITY, f64::min);
        let (other, own) = (least(&other[&name]), least(&own));
        println!("| {name} | {other:.1} | {own:.1} | {:.3} |", own / other);
    }
}

/// Prints each call's time.
fn turn() {
    let executor = Executor::cpu();
    for log2_len in LOG2_LENS {
        let len = 1usize << log2_len;
        let number = |i: usize| u32::try_from(i).expect("lengths are short");
        let bits = |i: usize| number(i).wrapping_mul(0x9e37_79b1).rotate_left(11);
        let floats: Vec<f32> =
            (0..len).map(|i| f32::from_bits(bits(i) & 0x807f_ffff | 0x3f00_0000)).collect();
        let words: Vec<u32> = (0..len).map(bits).collect();
        let doubles: Vec<f64> = floats.iter().map(|&x| x.into()).collect();
        let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[0]).collect();
        let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
        let vectors: &[[f32; 3]] = floats.as_chunks().0;
        let mask: Vec<u32> = words.iter().map(|word| word & 1).collect();
        let rows: Vec<u32> = (0..=len / SEGMENT).map(|row| number(row * SEGMENT)).collect();
        let row = |name: &str, call: &dyn Fn()| time(&format!("{name}, 2^{log2_len}"), call);
        row("sum f32", &|| keep(executor.sum(&floats)));
        row("sum f64", &|| keep(executor.sum(&doubles)));
        row("sum u32", &|| keep(executor.sum(&words)));
        row("sum u8", &|| keep(executor.sum(&bytes)));
        row("sum f16", &|| keep(executor.sum(&halves)));
        row("sum f32x3", &|| keep(executor.sum(vectors)));
        row("arg-max u8", &|| keep(executor.arg_max(&bytes)));
        row("segments sum u8", &|| keep(executor.reduce_segments(&bytes, &rows, SumWide)));
        row("scan f16", &|| keep(executor.inclusive_scan(&halves, Sum)));
        row("scan f32x3", &|| keep(executor.inclusive_scan(vectors, Sum)));
        row("product f32", &|| keep(executor.product(&floats)));
        row("max f32", &|| keep(executor.max(&floats)));
        row("arg-max f32", &|| keep(executor.arg_max(&floats)));
        row("variance f32", &|| keep(executor.variance(&floats)));
        row("moments f32", &|| keep(executor.moments(&floats)));
        row("dot f32", &|| keep(executor.dot(&floats, &floats)));
        row("scan f32", &|| keep(executor.inclusive_scan(&floats, Sum)));
        row("scan u32", &|| keep(executor.scan(Scan::exclusive(), &words, Sum)));
        row("scan max f32", &|| keep(executor.inclusive_scan(&floats, Max)));
        row("scan max u32", &|| keep(executor.inclusive_scan(&words, Max)));
        row("scan variance f32", &|| keep(executor.inclusive_scan(&floats, Variance)));
        row("select f32", &|| keep(executor.select(&floats, &mask)));
        row("segments sum f32", &|| keep(executor.reduce_segments(&floats, &rows, Sum)));
        row("segments max f32", &|| keep(executor.reduce_segments(&floats, &rows, Max)));
        row("segments arg-max u32", &|| {
            keep(executor.reduce_segments(&words, &rows, ArgMax));
        });
        let shape = [(len / 64) as u64, 64];
        row("columns f32", &|| keep(executor.reduce_axis(&floats, &shape, 0, Sum)));
    }
}

fn keep<V>(result: Result<V, gridfold::Error>) {
    _ = black_box(result.unwrap_or_else(|error| panic!("the CPU reduces: {error}")));
}

/// The fastest of some rounds, each of as many calls as the clock needs.
fn time(name: &str, call: &dyn Fn()) {
    let round = |calls: u32| {
        let begin = Instant::now();
        (0..calls).for_each(|_| call());
        begin.elapsed().as_nanos()
    };
    let once = (round(1) + round(1)).max(2) / 2;
    let calls = u32::try_from((ROUND_NS / once).max(1)).expect("few");
    // Long calls are measured once a turn.
    let rounds = if calls == 1 { 1 } else { 3 };
    let fastest = (0..rounds).map(|_| round(calls)).min().expect("there are rounds");
    println!("{name} {}", fastest as f64 / f64::from(calls));
}
