//! gridfold's sums of u32 by strategy and policy, and lampshade in the same rounds.

use crate::{bench::Bench, lampshade, numbers::Expected, own};
use ::lampshade::U32Reduction;
use gridfold::{Policy, Reducer, Strategy, Sum};
use std::error::Error;

const POLICIES: [Policy; 5] = [
    Policy { min_rows: 4, max_workgroups: 2048 },
    Policy { min_rows: 8, max_workgroups: 2048 },
    Policy { min_rows: 16, max_workgroups: 2048 },
    Policy { min_rows: 32, max_workgroups: 2048 },
    Policy { min_rows: 16, max_workgroups: 256 },
];

/// A table of device times.
pub fn table(bench: &Bench) -> Result<(), Box<dyn Error>> {
    println!("us: medians of {}", bench.what_is_measured());
    print!("{:11} {:>8} {:>10}", "strategy", "elements", "lampshade");
    for Policy { min_rows, max_workgroups } in POLICIES {
        print!(" {:>10}", format!("{min_rows}, {max_workgroups}"));
    }
    println!(" {:>7}", "rounds");
    for len in bench.lens() {
        let expected = bench.expected(len);
        row(bench, Strategy::TwoPass, len, &expected)?;
        if bench.context.capabilities().coherent_memory {
            row(bench, Strategy::SinglePass, len, &expected)?;
        }
    }
    Ok(())
}

fn row(
    bench: &Bench,
    strategy: Strategy,
    len: u32,
    expected: &[Expected],
) -> Result<(), Box<dyn Error>> {
    let output = bench.output();
    let mut contenders = vec![lampshade::record(bench, U32Reduction::Sum, len, &output)?];
    for policy in POLICIES {
        let reducer = Reducer::<u32, _>::new(&bench.context, Sum).strategy(strategy).policy(policy);
        contenders.push(own::record(bench, &reducer, len, &output)?.1);
    }
    let times = bench.measure(len, &mut contenders, &output, &|index| expected[index].sum)?;
    print!("{:11} {:>8}", strategy.name(), format!("2^{}", len.ilog2()));
    for times in &times {
        print!(" {:>10.1}", times.median() * 1e6);
    }
    println!(" {:>7}", times[0].rounds());
    Ok(())
}
