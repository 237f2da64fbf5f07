//! gridfold beside other crates that reduce on GPUs: lampshade, cubek-reduce and massively.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [ADAPTER [PEERS]]`, where ADAPTER is as for
//! `gridfold --adapter` (the default is the best GPU), and PEERS are names with commas between them (the default is all);
//! `policies` measures gridfold's sums by policy instead, and `scans` scans and selections beside lampshade's. massively is in programs built with
//! `--no-default-features --features massively`: its version of a compiler and cubek-reduce's can't be in one.
//!
//! All are on one device. In each round each of a table's contenders reduces once, in a submit of its own, and they take
//! turns at being first. Inputs rotate through the data, so that caches serve few repeats. Each result is compared with the
//! CPU's.
//!
//! lampshade records into an encoder, and so does gridfold beside it: what is timed is the device, by a timestamp before
//! and one after, since lampshade opens a pass for each of its steps; where the device can't do that, the clock on the wall,
//! from the submit until it is done. cubek-reduce and massively submit by themselves, and massively's result is a value of
//! the host. So beside these, gridfold's call that returns a value is timed, all by the clock on the wall.

mod bench;
#[cfg(feature = "cubek")]
mod cubek;
mod lampshade;
#[cfg(feature = "massively")]
mod massively;
mod numbers;
mod own;
mod policies;
mod scans;
mod to_host;

#[cfg(all(feature = "cubek", feature = "massively"))]
compile_error!("massively goes without cubek-reduce: add --no-default-features");

use bench::Bench;
use std::error::Error;

const PEERS: [&str; 3] = ["lampshade", "cubek", "massively"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let selector = arguments.next().unwrap_or_else(|| "auto".to_owned());
    let list = arguments.next().unwrap_or_else(|| PEERS.join(","));
    let chosen: Vec<&str> = list.split(',').collect();
    if !["policies", "scans"].contains(&&*list) && chosen.iter().any(|peer| !PEERS.contains(peer)) {
        let peers = PEERS.join(",");
        return Err(format!(
            "{list}: the second argument is a part of {peers}, or `policies`, or `scans`"
        )
        .into());
    }

    let bench = Bench::new(&selector)?;
    println!("{}", bench.context.adapter());
    if list == "policies" {
        return policies::table(&bench);
    }
    if list == "scans" {
        return scans::table(&bench);
    }
    if chosen.contains(&"lampshade") {
        lampshade::table(&bench)?;
    }
    println!();
    #[cfg(feature = "cubek")]
    if chosen.contains(&"cubek") {
        to_host::table(&bench, &cubek::Cubek::new(&bench)?.peers())?;
    }
    #[cfg(feature = "massively")]
    if chosen.contains(&"massively") {
        to_host::table(&bench, &massively::Massively::new(&bench)?.peers())?;
    }
    for (peer, is_in) in
        [("cubek", cfg!(feature = "cubek")), ("massively", cfg!(feature = "massively"))]
    {
        if chosen.contains(&peer) && !is_in {
            println!("left out: {peer}, which this program was built without");
        }
    }
    Ok(())
}
