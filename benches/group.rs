//! Time of a f32 sum on a group of devices, each of which has a part of the elements, beside one device that has all of them. From the
//! call to the value; the elements are in the devices' memory.
//!
//! `cargo bench --bench group -- [ADAPTERS [LOG2_LENGTH]]`, where ADAPTERS are selectors as for `gridfold --adapter`, with commas between
//! them. Without them, or with `all`, it takes all GPUs, and one driver in software where there is no GPU. The CPU is none of the
//! devices. Groups are of the first 1, 2 and 4 devices. Each time is the median of 21 rounds. The groups take turns, 7 rounds each. Before
//! each turn the group works for half a second, because idle devices lower their clocks. A result with other bits than the CPU's ends the
//! bench.

#[expect(dead_code, reason = "the benches of device time use the rest")]
mod common;

use common::{length, median, uniform};
use gridfold::{Executor, Group, Sum, wgpu};
use rayon::prelude::*;
use std::{
    error::Error,
    time::{Duration, Instant},
};

const SIZES: [usize; 3] = [1, 2, 4];
const TURNS: usize = 3;
const ROUNDS: usize = 7;
const WARM_UP: Duration = Duration::from_millis(500);

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let devices = devices(arguments.next().as_deref().unwrap_or("all"))?;
    let only_log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    let sizes: Vec<usize> = SIZES.into_iter().filter(|&size| size <= devices.len()).collect();
    match devices.len() {
        1 => println!("one device is there, so there is no group to compare it with:"),
        count => println!("{count} devices:"),
    }
    devices.iter().for_each(|device| println!("  {}", device.name()));

    let is_gpu = |device: &Executor| {
        let info = device.context().map(|context| context.device().adapter_info());
        info.is_some_and(|info| info.device_type != wgpu::DeviceType::Cpu)
    };
    let logs: &[u32] =
        if devices.iter().all(is_gpu) { &[16, 20, 24, 26, 28, 30] } else { &[16, 20, 24] };
    let only: Vec<u32> = only_log2_len.into_iter().collect();
    print!("\n{:>12}", "elements");
    for size in &sizes {
        match size {
            1 => print!(" {:>12}", "1, in us"),
            size => print!(" {:>12} {:>9}", format!("{size}, in us"), "times one"),
        }
    }
    println!();
    for &log2_len in if only.is_empty() { logs } else { &only } {
        if log2_len > 40 {
            return Err("a sequence has 2^40 elements at most: LOG2_LENGTH is too large".into());
        }
        row(&devices, &sizes, 1 << log2_len)?;
    }
    Ok(())
}

/// Those of the selectors; or all GPUs, or the first driver in software that works.
fn devices(selectors: &str) -> Result<Vec<Executor>, Box<dyn Error>> {
    if selectors != "all" {
        let devices = selectors.split(',').map(Executor::with_adapter);
        let devices = devices.collect::<Result<Vec<_>, _>>()?;
        return match devices.iter().find(|device| device.context().is_none()) {
            Some(cpu) => Err(format!("{} is no device: name others", cpu.name()).into()),
            None => Ok(devices),
        };
    }
    if let Ok(group) = Group::of_all_gpus() {
        return Ok(group.members().to_vec());
    }
    let software = Executor::adapters().iter().find_map(|adapter| adapter.open().ok());
    Ok(vec![software.ok_or("there is no device, and no driver in software either")?])
}

fn row(devices: &[Executor], sizes: &[usize], len: u64) -> Result<(), Box<dyn Error>> {
    // Beyond 2^32 the elements repeat.
    let element = |number: u64| uniform(u32::try_from(number & 0xffff_ffff).expect("32 bits"));
    let values: Vec<f32> = (0..len).into_par_iter().map(element).collect();
    let wanted = Executor::cpu().sum(&values)?;
    let groups = sizes.iter().map(|&size| Group::new(devices[..size].iter().cloned()));
    let groups = groups.collect::<Result<Vec<_>, _>>()?;
    let arrays = groups.iter().map(|group| group.upload(&values));
    let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    drop(values);

    let mut times = vec![Vec::new(); arrays.len()];
    for _ in 0..TURNS {
        for (array, times) in arrays.iter().zip(&mut times) {
            let begin = Instant::now();
            while begin.elapsed() < WARM_UP {
                array.reduce(Sum)?;
            }
            for _ in 0..ROUNDS {
                let begin = Instant::now();
                let found = array.reduce(Sum)?.value;
                times.push(begin.elapsed());
                if found.to_bits() != wanted.to_bits() {
                    let shards = array.shards().count();
                    let message = format!("{shards} devices say {found}, and the CPU {wanted}");
                    return Err(message.into());
                }
            }
        }
    }
    let medians = times.iter_mut().map(|times| median(times).as_secs_f64() * 1e6);
    let medians: Vec<f64> = medians.collect();
    print!("{:>12} {:>12.1}", length(len), medians[0]);
    for time in &medians[1..] {
        print!(" {time:>12.1} {:>9.2}", time / medians[0]);
    }
    println!();
    Ok(())
}
