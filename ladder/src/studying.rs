//! Studies on a device: checked, and timed one after another.

use crate::{
    Error,
    data::Input,
    device::{Device, Job, Kernel, Sample},
    measure::median,
    rungs::Layout,
    studies::{
        COSTS, Cost, MATRIX_SIZES, OCCUPANCIES, Occupancy, PRODUCTS, Product, VARIANTS,
        matrix_element, product_element, product_operations, products_text,
    },
};
use gridfold::{Context, Variant, wgsl::Collectives};
use std::time::Duration;

/// Runs that are timed, at most.
const MOST_RUNS: usize = 15;
/// What the matrices are made of.
const MATRICES: [u32; 2] = [7, 11];

/// What a study is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A collective.
    Cost,
    /// What fits onto a processor.
    Occupancy,
    /// A product of matrices.
    Product,
}

/// A line of a study's table.
#[derive(Debug)]
pub struct Studied {
    /// What it is about.
    pub subject: Subject,
    /// In a few words.
    pub name: &'static str,
    /// How lanes exchange values, where that is by collectives.
    pub variant: Option<Variant>,
    /// Times, or why there are none.
    pub outcome: Result<Timed, String>,
}

/// A study's time, and what it is for.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The median.
    pub time: Duration,
    /// Whether that is the device's.
    pub is_device_time: bool,
    /// Whether all results were the CPU's.
    pub is_right: bool,
    /// Calls of all workgroups.
    pub calls: Option<u64>,
    /// Bytes that are loaded.
    pub bytes: Option<u64>,
    /// Operations with floats.
    pub operations: Option<u64>,
}

/// A device, and an input for the sums.
pub struct Studies<'a> {
    /// The device.
    pub device: &'a Device<'a>,
    /// Its context.
    pub context: &'a Context,
    /// Of which the elements are summed.
    pub input: &'a Input,
    /// How many.
    pub len: u64,
    /// Runs that are timed, at most.
    pub most_runs: usize,
    /// Whether it is fast.
    pub is_gpu: bool,
}

impl Studies<'_> {
    /// All studies.
    pub fn all(
        &self,
        progress: &dyn Fn(&'static str, usize, usize),
    ) -> Result<Vec<Studied>, Error> {
        let count = VARIANTS.len() * (COSTS.len() + PRODUCTS.len()) + OCCUPANCIES.len();
        let mut all = Vec::new();
        for variant in VARIANTS {
            for cost in &COSTS {
                progress(cost.name, all.len(), count);
                let outcome = self.cost(cost, variant)?;
                let subject = Subject::Cost;
                all.push(Studied { subject, name: cost.name, variant: Some(variant), outcome });
            }
        }
        for occupancy in &OCCUPANCIES {
            progress(occupancy.name, all.len(), count);
            let outcome = self.occupancy(occupancy)?;
            let subject = Subject::Occupancy;
            all.push(Studied { subject, name: occupancy.name, variant: None, outcome });
        }
        for variant in VARIANTS {
            for product in &PRODUCTS {
                progress(product.name, all.len(), count);
                let outcome = self.product(product, variant)?;
                let subject = Subject::Product;
                all.push(Studied { subject, name: product.name, variant: Some(variant), outcome });
            }
        }
        Ok(all)
    }

    fn collectives(&self, variant: Variant) -> Collectives {
        Collectives::new(self.context).variant(variant)
    }

    fn cost(&self, cost: &Cost, variant: Variant) -> Result<Result<Timed, String>, Error> {
        let text = match cost.text(self.collectives(variant)) {
            Ok(text) => text,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let subgroup_size = match (variant, self.context.capabilities().subgroups) {
            (Variant::Subgroup, Some(sizes)) if sizes.min == sizes.max => sizes.max,
            (Variant::Subgroup, _) if cost.is_of_subgroups => {
                return Ok(Err("subgroups of this device have several sizes".to_owned()));
            }
            // What collectives take if nothing is said.
            _ => 32,
        };
        let (workgroups, rounds) = if self.is_gpu { (1024, 64) } else { (4, 4) };
        let rounds = cost.rounds(rounds);
        let kernel = Kernel {
            name: cost.name,
            text: &text,
            entry_point: "main",
            constant: None,
            workgroups,
        };
        let params = self.device.words(&[0, rounds, workgroups, 0])?;
        let totals = self.device.totals();
        let mut resources = vec![params.as_entire_binding(), totals.as_entire_binding()];
        // The number of those that have delivered, and a total of each.
        let ticket = self.device.words(&vec![0; 1 + workgroups as usize])?;
        resources.extend(cost.finishes().then(|| ticket.as_entire_binding()));
        let expected = vec![cost.expected(workgroups, rounds, subgroup_size)];
        let job = self.device.study_job(&kernel, &resources, (totals, 0), expected)?;
        let calls = Some(u64::from(workgroups) * u64::from(rounds));
        Ok(Ok(Timed { calls, ..self.timed(&job)? }))
    }

    fn occupancy(&self, occupancy: &Occupancy) -> Result<Result<Timed, String>, Error> {
        let limits = self.context.device().limits();
        let most =
            limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        if occupancy.lanes > most {
            return Ok(Err(format!("the device's workgroups have at most {most} invocations")));
        }
        let most = limits.max_compute_workgroup_storage_size;
        if occupancy.workgroup_bytes > most {
            return Ok(Err(format!("the device's workgroups have {most} bytes of memory")));
        }
        let text = occupancy.text();
        // Whole vectors.
        let vectors = (self.len / 4).max(1);
        // As many lanes in any case, if there is a vector for each.
        let workgroups = vectors.min(1 << 18).div_ceil(occupancy.lanes.into());
        let workgroups = u32::try_from(workgroups).unwrap_or(u32::MAX);
        let rounds = vectors.div_ceil(u64::from(workgroups) * u64::from(occupancy.lanes));
        let [vectors_word, rounds] =
            [vectors, rounds].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let params = [vectors_word, workgroups, rounds, 0];
        let kernel = Kernel {
            name: occupancy.name,
            text: &text,
            entry_point: "main",
            constant: occupancy.constant,
            workgroups,
        };
        let params = self.device.words(&params)?;
        let totals = self.device.totals();
        let elements = self.device.elements(self.input)?;
        let resources = [params.as_entire_binding(), elements, totals.as_entire_binding()];
        let expected = self.input.expected(Layout::Integers, 4 * vectors);
        let job = self.device.study_job(&kernel, &resources, (totals, 0), expected)?;
        Ok(Ok(Timed { bytes: Some(16 * vectors), ..self.timed(&job)? }))
    }

    fn product(&self, product: &Product, variant: Variant) -> Result<Result<Timed, String>, Error> {
        let text = match products_text(self.collectives(variant)) {
            Ok(text) => text,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let size = MATRIX_SIZES[usize::from(!self.is_gpu)];
        let elements = size * size;
        let matrix = |of| -> Vec<u32> {
            (0..elements).map(|index| matrix_element(index, of).to_bits()).collect()
        };
        let params = self.device.words(&[0, size, 0, 0])?;
        let [left, right] = MATRICES.map(|of| self.device.words(&matrix(of)));
        let (left, right) = (left?, right?);
        let result = self.device.words(&vec![0; elements as usize])?;
        let kernel = Kernel {
            name: product.name,
            text: &text,
            entry_point: product.entry_point,
            constant: None,
            workgroups: (product.workgroups)(size),
        };
        let resources = [&params, &left, &right, &result].map(|buffer| buffer.as_entire_binding());
        // The last four, which no workgroup but the last ones has made. The example compares the others.
        let expected: Vec<u32> = (elements - 4..elements)
            .map(|index| product_element(index, size, MATRICES).to_bits())
            .collect();
        let offset = 4 * u64::from(elements - 4);
        let job = self.device.study_job(&kernel, &resources, (&result, offset), expected)?;
        Ok(Ok(Timed {
            bytes: Some(product.loaded_bytes(size)),
            operations: Some(product_operations(size)),
            ..self.timed(&job)?
        }))
    }

    /// Runs a job until its median is known.
    fn timed(&self, job: &Job<'_>) -> Result<Timed, Error> {
        let mut is_right = self.device.run(job)?.is_right;
        let mut samples: Vec<Sample> = Vec::new();
        for _ in 0..self.most_runs.clamp(1, MOST_RUNS) {
            let sample = self.device.run(job)?;
            is_right &= sample.is_right;
            samples.push(sample);
        }
        let (time, is_device_time) = median(&samples);
        Ok(Timed { time, is_device_time, is_right, calls: None, bytes: None, operations: None })
    }
}
