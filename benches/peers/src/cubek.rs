//! cubek-reduce: sums by atomics in one launch (`shared_sum`), and any operator along an axis (`reduce`).
//!
//! `reduce` gives each result to one workgroup. So that all of a GPU takes part, an input is a matrix here, whose rows are
//! reduced, and then what is left of them: two launches. `shared_sum` adds to its output, which is written before.
//!
//! It is on the bench's device and has the same elements, in memory of its own: CubeCL takes no buffers of others. It
//! submits by itself, so its values are timed until they are on the host.

use crate::{
    bench::{Bench, ToHost},
    numbers,
    to_host::{Peer, Reduction},
};
use cubecl::{
    Device,
    client::Client,
    config::autotune::AutotuneLevel,
    ir::ElemType,
    prelude::{Scalar, TensorBinding},
    server::Handle,
    wgpu::{RuntimeOptions, WgpuSetup},
    zspace::{Shape, Strides},
};
use cubecl_of_cubek as cubecl;
use cubek_reduce::{
    ReduceDtypes, ReduceStrategy,
    components::instructions::ReduceOperationConfig,
    launch::{RoutineStrategy, VectorizationStrategy},
    routines::{BlueprintStrategy, cube::CubeStrategy},
};
use std::error::Error;

/// Elements that a workgroup of `reduce` has; also of `shared_sum`, as far as that leaves no more than
/// [`MOST_WORKGROUPS`].
const ROW: u32 = 1 << 13;
const MOST_WORKGROUPS: u32 = 1 << 12;

pub struct Cubek {
    client: Client,
    integers: Handle,
    floats: Handle,
}

impl Cubek {
    pub fn new(bench: &Bench) -> Result<Self, Box<dyn Error>> {
        let setup = WgpuSetup {
            instance: gridfold::wgpu::Instance::default(),
            adapter: bench.adapter.clone(),
            device: bench.context.device().clone(),
            queue: bench.context.queue().clone(),
            backend: bench.info.backend,
        };
        let device = cubecl::wgpu::try_init_device(setup, RuntimeOptions::try_default()?)?;
        let client = Device::Wgpu(device).client();
        let mut elements = vec![0; bench.buffer_items as usize];
        let mut upload = |element| {
            numbers::fill(&mut elements, 0, element);
            client.create_from_slice(bytemuck::cast_slice(&elements))
        };
        let (integers, floats) = (upload(numbers::mix), upload(numbers::uniform));
        Ok(Self { client, integers, floats })
    }

    pub fn peers(&self) -> [Peer<'_>; 2] {
        [
            ("shared_sum", Box::new(|reduction, len| self.shared_sum(reduction, len))),
            ("reduce, twice", Box::new(|reduction, len| Some(self.reduce(reduction, len)))),
        ]
    }

    fn elem(reduction: Reduction) -> ElemType {
        if reduction.is_of_floats() { f32::elem_type_native() } else { u32::elem_type_native() }
    }

    /// The part of the data that an input is, as a tensor.
    fn input(
        &self,
        reduction: Reduction,
        len: u32,
        index: usize,
        shape: [usize; 2],
    ) -> TensorBinding {
        let data = if reduction.is_of_floats() { &self.floats } else { &self.integers };
        let begin = index as u64 * u64::from(len) * 4;
        let end = begin + u64::from(len) * 4;
        let part = data.clone().offset_start(begin).offset_end(data.size() - end);
        tensor(part, shape)
    }

    fn value(&self, reduction: Reduction, output: Handle) -> Result<f64, Box<dyn Error>> {
        let bytes = self.client.read_one(output).map_err(|error| format!("{error:?}"))?;
        let bits: u32 = bytemuck::pod_read_unaligned(&bytes[..4]);
        Ok(reduction.number(bits))
    }

    /// Sums by atomics.
    fn shared_sum(&self, reduction: Reduction, len: u32) -> Option<ToHost<'_>> {
        if !reduction.is_sum() {
            return None;
        }
        Some(Box::new(move |index| {
            let input = self.input(reduction, len, index, [1, len as usize]);
            let output = self.client.create_from_slice(&[0; 4]);
            let workgroups = (len / ROW).clamp(1, MOST_WORKGROUPS);
            let result = tensor(output.clone(), [1, 1]);
            let elem = Self::elem(reduction);
            cubek_reduce::shared_sum(&self.client, input, result, workgroups, elem)
                .map_err(|error| error.to_string())?;
            self.value(reduction, output)
        }))
    }

    /// Rows, and then what is left of them.
    fn reduce(&self, reduction: Reduction, len: u32) -> ToHost<'_> {
        let operation = if reduction.is_sum() {
            ReduceOperationConfig::Sum
        } else {
            ReduceOperationConfig::Max
        };
        let elem = Self::elem(reduction);
        let dtypes = ReduceDtypes { input: elem, output: elem, accumulation: elem };
        let strategy = ReduceStrategy {
            routine: RoutineStrategy::Cube(BlueprintStrategy::Inferred(CubeStrategy {
                use_planes: self.has_subgroups(),
            })),
            vectorization: VectorizationStrategy { parallel_output_vectorization: false },
            autotune_level: AutotuneLevel::Full,
        };
        Box::new(move |index| {
            let rows = (len / ROW).max(1) as usize;
            let columns = len as usize / rows;
            let reduce = |input, output: &Handle, rows| {
                let output = tensor(output.clone(), [rows, 1]);
                let (strategy, axis) = (strategy.clone(), 1);
                cubek_reduce::reduce(&self.client, input, output, axis, strategy, operation, dtypes)
                    .map_err(|error| error.to_string())
            };
            let input = self.input(reduction, len, index, [rows, columns]);
            let mut output = self.client.empty(rows * 4);
            reduce(input, &output, rows)?;
            if rows > 1 {
                let partials = tensor(output, [1, rows]);
                output = self.client.empty(4);
                reduce(partials, &output, 1)?;
            }
            self.value(reduction, output)
        })
    }

    fn has_subgroups(&self) -> bool {
        self.client.properties().features.plane.contains(cubecl::features::Plane::Ops)
    }
}

/// Row by row.
fn tensor(handle: Handle, shape: [usize; 2]) -> TensorBinding {
    // SAFETY: all callers' handles have as many elements as the shape says.
    unsafe {
        TensorBinding::from_raw_parts(handle, Strides::new(&[shape[1], 1]), Shape::new(shape))
    }
}
