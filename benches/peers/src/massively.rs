//! massively: operators that the caller writes, in one workgroup for 2^13 elements, again and again until one is left. It
//! needs subgroups, and does not ask for them.
//!
//! It is on the bench's device and has the same elements, in memory of its own: CubeCL takes no buffers of others. Its
//! `reduce` returns a value of the host, and that is what is timed.

use crate::{
    bench::{Bench, ToHost},
    numbers,
    to_host::{Peer, Reduction},
};
use ::massively::{DeviceVec, Executor, op::ReductionOp, vector::reduce};
use cubecl::{
    prelude::*,
    wgpu::{RuntimeOptions, WgpuRuntime, WgpuSetup},
};
use std::error::Error;

struct Add;
struct Largest;

#[cubecl::cube]
impl ReductionOp<f32> for Add {
    fn apply(left: f32, right: f32) -> f32 {
        left + right
    }
}

#[cubecl::cube]
impl ReductionOp<u32> for Add {
    fn apply(left: u32, right: u32) -> u32 {
        left + right
    }
}

#[cubecl::cube]
impl ReductionOp<f32> for Largest {
    fn apply(left: f32, right: f32) -> f32 {
        max(left, right)
    }
}

pub struct Massively {
    executor: Executor<WgpuRuntime>,
    integers: DeviceVec<WgpuRuntime, u32>,
    floats: DeviceVec<WgpuRuntime, f32>,
}

impl Massively {
    pub fn new(bench: &Bench) -> Result<Self, Box<dyn Error>> {
        if bench.context.capabilities().subgroups.is_none() {
            return Err("the device has no subgroups".into());
        }
        let setup = WgpuSetup {
            instance: gridfold::wgpu::Instance::default(),
            adapter: bench.adapter.clone(),
            device: bench.context.device().clone(),
            queue: bench.context.queue().clone(),
            backend: bench.info.backend,
        };
        let device = cubecl::wgpu::init_device(setup, RuntimeOptions::default());
        let executor = Executor::new(device);
        let mut elements = vec![0; bench.buffer_items as usize];
        numbers::fill(&mut elements, 0, numbers::mix);
        let integers = executor.to_device(&elements);
        numbers::fill(&mut elements, 0, numbers::uniform);
        let floats = executor.to_device::<f32>(bytemuck::cast_slice(&elements));
        Ok(Self { executor, integers, floats })
    }

    pub fn peers(&self) -> [Peer<'_>; 1] {
        [("massively", Box::new(|reduction, len| Some(self.reduce(reduction, len))))]
    }

    fn reduce(&self, reduction: Reduction, len: u32) -> ToHost<'_> {
        Box::new(move |index| {
            let begin = index as u32 * len;
            let range = begin..begin + len;
            let Self { executor, integers, floats } = self;
            let value = match reduction {
                Reduction::SumOfFloats => {
                    reduce(executor, floats.slice(range), 0.0, Add).map(f64::from)
                }
                Reduction::MaxOfFloats => {
                    reduce(executor, floats.slice(range), 0.0, Largest).map(f64::from)
                }
                Reduction::SumOfIntegers => {
                    reduce(executor, integers.slice(range), 0, Add).map(f64::from)
                }
            };
            value.map_err(|error| format!("{error:?}").into())
        })
    }
}
