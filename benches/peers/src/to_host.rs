//! Those that submit by themselves: gridfold, cubek-reduce and massively, from the call until the value is on the host.

use crate::{
    bench::{Bench, ToHost},
    own,
};
use gridfold::{Max, Precision, Reducer, Sum};
use std::error::Error;

/// What all of them can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    SumOfFloats,
    MaxOfFloats,
    SumOfIntegers,
}

impl Reduction {
    const ALL: [Self; 3] = [Self::SumOfFloats, Self::MaxOfFloats, Self::SumOfIntegers];

    pub fn is_of_floats(self) -> bool {
        self != Self::SumOfIntegers
    }

    pub fn is_sum(self) -> bool {
        self != Self::MaxOfFloats
    }

    /// The result that has these bits.
    pub fn number(self, bits: u32) -> f64 {
        if self.is_of_floats() { f32::from_bits(bits).into() } else { bits.into() }
    }

    fn name(self) -> &'static str {
        match self {
            Self::SumOfFloats => "f32 sum",
            Self::MaxOfFloats => "f32 max",
            Self::SumOfIntegers => "u32 sum",
        }
    }

    fn gridfold(self, bench: &Bench, len: u32) -> ToHost<'_> {
        let (floats, integers) = (&bench.floats, &bench.integers[0]);
        let context = &bench.context;
        match self {
            Self::SumOfFloats => sum_of_floats(bench, Precision::Reproducible, len),
            Self::MaxOfFloats => {
                own::to_host(Reducer::<f32, _>::new(context, Max), floats, len, |max| {
                    max.map(f64::from)
                })
            }
            Self::SumOfIntegers => {
                own::to_host(Reducer::<u32, _>::new(context, Sum), integers, len, |sum| {
                    Some(sum.into())
                })
            }
        }
    }
}

fn sum_of_floats(bench: &Bench, precision: Precision, len: u32) -> ToHost<'_> {
    let reducer = Reducer::<f32, _>::new(&bench.context, Sum).precision(precision);
    own::to_host(reducer, &bench.floats, len, |sum| Some(sum.into()))
}

/// A column's name, and what reduces inputs of a length, if it can.
pub type Peer<'a> = (&'static str, Box<dyn Fn(Reduction, u32) -> Option<ToHost<'a>> + 'a>);

/// A table of times to the host.
pub fn table<'a>(bench: &'a Bench, peers: &[Peer<'a>]) -> Result<(), Box<dyn Error>> {
    // What the peers promise of a rounded sum: nothing.
    let unordered: Peer<'a> = (
        "unordered",
        Box::new(|reduction, len| {
            (reduction == Reduction::SumOfFloats)
                .then(|| sum_of_floats(bench, Precision::Unordered, len))
        }),
    );
    let others: Vec<&Peer<'a>> = std::iter::once(&unordered).chain(peers).collect();
    println!("gridfold, its sums also as `Unordered`, beside others that submit by themselves");
    println!("us: medians of the wall clock, from the call until the value is on the host");
    println!("in parentheses: the time as a multiple of gridfold's");
    print!("{:7} {:>8} {:>12}", "op", "elements", "gridfold");
    others.iter().for_each(|(name, _)| print!(" {name:>20}"));
    println!(" {:>7}", "rounds");
    let mut left_out = Vec::new();
    for len in bench.lens() {
        let floats = bench.expected_floats(len);
        let integers = bench.expected(len);
        for reduction in Reduction::ALL {
            let is_expected = |index: usize, value: f64| match reduction {
                // Sums are rounded in as many orders as there are crates.
                Reduction::SumOfFloats => (value / floats[index].sum - 1.0).abs() < 1e-4,
                Reduction::MaxOfFloats => value == floats[index].max,
                Reduction::SumOfIntegers => value == f64::from(integers[index].sum),
            };
            let mut contenders = vec![reduction.gridfold(bench, len)];
            let mut places = vec![None; others.len()];
            for ((name, make), place) in others.iter().zip(&mut places) {
                let Some(mut other) = make(reduction, len) else { continue };
                match other(0) {
                    Ok(value) if is_expected(0, value) => {
                        *place = Some(contenders.len());
                        contenders.push(other);
                    }
                    Ok(value) => left_out.push(format!(
                        "{name}, {} of {len}: the result is {value}, which is wrong",
                        reduction.name()
                    )),
                    Err(error) => {
                        left_out.push(format!("{name}, {} of {len}: {error}", reduction.name()));
                    }
                }
            }
            let times = bench.measure_to_host(len, &mut contenders, &is_expected)?;
            let gridfold = times[0].median();
            print!(
                "{:7} {:>8} {:>12.2}",
                reduction.name(),
                format!("2^{}", len.ilog2()),
                gridfold * 1e6
            );
            for place in places {
                let cell = place.map_or("-".to_owned(), |place| {
                    let time = times[place].median();
                    format!("{:.2} ({:.2})", time * 1e6, time / gridfold)
                });
                print!(" {cell:>20}");
            }
            println!(" {:>7}", times[0].rounds());
        }
    }
    for problem in &left_out {
        println!("left out: {problem}");
    }
    Ok(())
}
