//! gridfold beside other crates that reduce on GPUs: lampshade, cubek-reduce and massively.
//!
//! `cargo run --release --features massively --manifest-path benches/peers/Cargo.toml -- [ADAPTER [PEERS]]`, where ADAPTER is as for
//! `gridfold --adapter` (the default is the best GPU), and PEERS are names with commas between them (the default is all);
//! `policies` measures gridfold's sums by policy instead.
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
mod cubek;
mod lampshade;
#[cfg(feature = "massively")]
mod massively;
#[cfg(not(feature = "massively"))]
#[path = "no_massively.rs"]
mod massively;
mod numbers;
mod own;
mod policies;
mod to_host;

use bench::Bench;
use cubek::Cubek;
use massively::Massively;
use std::error::Error;

const PEERS: [&str; 3] = ["lampshade", "cubek", "massively"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let selector = arguments.next().unwrap_or_else(|| "auto".to_owned());
    let list = arguments.next().unwrap_or_else(|| PEERS.join(","));
    let chosen: Vec<&str> = list.split(',').collect();
    if list != "policies" && chosen.iter().any(|peer| !PEERS.contains(peer)) {
        let peers = PEERS.join(",");
        return Err(
            format!("{list}: the second argument is a part of {peers}, or `policies`").into()
        );
    }

    let bench = Bench::new(&selector)?;
    println!("{}", bench.context.adapter());
    if list == "policies" {
        return policies::table(&bench);
    }
    if chosen.contains(&"lampshade") {
        lampshade::table(&bench)?;
    }
    let cubek = provide("cubek", &chosen, || Cubek::new(&bench));
    let massively = provide("massively", &chosen, || Massively::new(&bench));
    if cubek.is_some() || massively.is_some() {
        println!();
        to_host::table(&bench, cubek.as_ref(), massively.as_ref())?;
    }
    Ok(())
}

/// A peer that was asked for, unless it can't be had on this device, which is said.
fn provide<T>(
    name: &str,
    chosen: &[&str],
    make: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Option<T> {
    if !chosen.contains(&name) {
        return None;
    }
    make().inspect_err(|problem| println!("left out: {name}: {problem}")).ok()
}
