//! How much a rung does, and how much of it one after another.
//!
//! *Work* is how many additions of two values all invocations perform together: also those whose result is not
//! used, and those of zeros past the end, because the device performs them. *Steps* is the longest chain of additions each of which
//! waits for the one before; atomics to one word are such a chain. Work divided by steps is how many additions could be
//! under way at a time, if there were no end of invocations.

/// Invocations of a workgroup.
pub const LANES: u64 = 256;

/// Additions, and the longest chain of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// All additions.
    pub work: u64,
    /// The longest chain.
    pub steps: u64,
}

/// One workgroup: of its own, before what it has is added to a total.
#[derive(Clone, Copy, Debug)]
struct Workgroup {
    work: u64,
    steps: u64,
}

/// The tree of a workgroup's lanes, in workgroup memory.
const TREE: Workgroup = Workgroup { work: LANES - 1, steps: 8 };

/// The elements of the first level and how many workgroups fold them, then the same of their sums, until there is one.
pub fn levels(len: u64, items_per_workgroup: u64) -> Vec<(u64, u64)> {
    let mut levels = Vec::new();
    let mut count = len;
    loop {
        let workgroups = count.div_ceil(items_per_workgroup);
        levels.push((count, workgroups));
        if workgroups <= 1 {
            return levels;
        }
        count = workgroups;
    }
}

/// Level by level, each workgroup with so many elements.
fn of_levels(len: u64, items_per_workgroup: u64, workgroup: Workgroup) -> Work {
    let levels = levels(len, items_per_workgroup);
    Work {
        work: levels.iter().map(|(_, workgroups)| workgroups * workgroup.work).sum(),
        steps: levels.len() as u64 * workgroup.steps,
    }
}

/// Workgroups that do not wait for each other, and then so many atomics one after another.
fn then_atomics(workgroups: u64, workgroup: Workgroup, atomics: u64) -> Work {
    Work { work: workgroups * workgroup.work + atomics, steps: workgroup.steps + atomics }
}

/// An atomic for each element.
pub fn atomic_per_element(len: u64) -> Work {
    Work { work: len, steps: len }
}

/// Three additions for each vector of four, two of them at the same time, and an atomic.
pub fn atomic_per_vector(len: u64) -> Work {
    let vectors = len.div_ceil(4);
    Work { work: 4 * vectors, steps: 2 + vectors }
}

/// The tree of a workgroup, and of workgroups.
pub fn tree(len: u64) -> Work {
    of_levels(len, LANES, TREE)
}

/// The same, with an addition at the load.
pub fn first_add(len: u64) -> Work {
    let workgroup = Workgroup { work: LANES + TREE.work, steps: 1 + TREE.steps };
    of_levels(len, 2 * LANES, workgroup)
}

/// The same down to a subgroup; then each subgroup adds what is left.
pub fn last_subgroup(len: u64, subgroup_size: u64) -> Work {
    let in_memory = LANES - subgroup_size;
    let in_subgroups = LANES / subgroup_size * (subgroup_size - 1);
    let workgroup = Workgroup { work: LANES + in_memory + in_subgroups, steps: 1 + TREE.steps };
    of_levels(len, 2 * LANES, workgroup)
}

/// Each lane adds at each shuffle; then each subgroup takes the sums of all subgroups, and shuffles these.
fn by_shuffles(subgroup_size: u64) -> Workgroup {
    let subgroups = LANES / subgroup_size;
    let shuffles = u64::from(subgroup_size.ilog2());
    Workgroup {
        work: 2 * LANES * shuffles + subgroups * subgroups,
        steps: 2 * shuffles + subgroups.div_ceil(subgroup_size),
    }
}

/// With an addition at the load.
fn two_by_shuffles(subgroup_size: u64) -> Workgroup {
    let Workgroup { work, steps } = by_shuffles(subgroup_size);
    Workgroup { work: LANES + work, steps: 1 + steps }
}

/// Shuffles, level by level.
pub fn shuffle_down(len: u64, subgroup_size: u64) -> Work {
    of_levels(len, 2 * LANES, two_by_shuffles(subgroup_size))
}

/// Shuffles, and a workgroup that folds all partials.
pub fn two_passes(len: u64, subgroup_size: u64) -> Work {
    let workgroups = len.div_ceil(2 * LANES);
    let first = two_by_shuffles(subgroup_size);
    let rounds = workgroups.div_ceil(LANES);
    let fold = by_shuffles(subgroup_size);
    Work {
        work: workgroups * first.work + rounds * LANES + fold.work,
        steps: first.steps + rounds + fold.steps,
    }
}

/// Shuffles, and an atomic for each workgroup.
pub fn workgroup_atomic(len: u64, subgroup_size: u64) -> Work {
    let workgroups = len.div_ceil(2 * LANES);
    then_atomics(workgroups, two_by_shuffles(subgroup_size), workgroups)
}

/// Shuffles within subgroups, and an atomic for each.
pub fn subgroup_atomic(len: u64, subgroup_size: u64) -> Work {
    let workgroups = len.div_ceil(2 * LANES);
    let shuffles = u64::from(subgroup_size.ilog2());
    let workgroup = Workgroup { work: LANES * (1 + shuffles), steps: 1 + shuffles };
    then_atomics(workgroups, workgroup, workgroups * (LANES / subgroup_size))
}

/// Four additions for each lane and round, three that join the four, the tree, and an atomic for each workgroup.
pub fn grid_stride(workgroups: u64, rounds: u64) -> Work {
    let workgroup =
        Workgroup { work: LANES * (4 * rounds + 3) + TREE.work, steps: rounds + 2 + TREE.steps };
    then_atomics(workgroups, workgroup, workgroups)
}

/// An addition for each lane that has a struct in a round, the tree, and an atomic for each workgroup: all that for each
/// field. The fields do not wait for each other.
pub fn fields(fields: u64, structs: u64, workgroups: u64, rounds: u64) -> Work {
    Work {
        work: fields * (structs + workgroups * TREE.work + workgroups),
        steps: rounds + TREE.steps + workgroups,
    }
}

/// The additions of each subgroup, and an atomic for each.
pub fn integer_per_subgroup(len: u64, subgroup_size: u64) -> Work {
    let workgroups = len.div_ceil(LANES);
    let subgroups = LANES / subgroup_size;
    let workgroup = Workgroup {
        work: subgroups * (subgroup_size - 1),
        steps: u64::from(subgroup_size.ilog2()),
    };
    then_atomics(workgroups, workgroup, workgroups * subgroups)
}

/// The additions of the library's order (docs/float-sums.md), which is the same on every device: siblings combine, and at last the
/// runs. How many more its kernels make, of what is not used, depends on the device. A single element is added to a zero.
pub fn gridfold(len: u64) -> Work {
    let steps = u64::from(len.ilog2() + len.count_ones()) - 1;
    Work { work: (len - 1).max(1), steps: steps.max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value, by how long the chain of additions is that led to it.
    type Depth = u64;

    /// Performs the kernels' additions one by one.
    #[derive(Default)]
    struct Machine {
        work: u64,
        deepest: Depth,
    }

    impl Machine {
        fn add(&mut self, a: Depth, b: Depth) -> Depth {
            self.work += 1;
            let depth = a.max(b) + 1;
            self.deepest = self.deepest.max(depth);
            depth
        }

        fn is(&self, expected: Work) {
            assert_eq!(Work { work: self.work, steps: self.deepest }, expected);
        }

        /// As sequential.wgsl; the other trees are of the same shape.
        fn tree(&mut self, sums: &mut [Depth], down_to: usize) {
            let mut stride = sums.len() / 2;
            while stride >= down_to {
                for lane in 0..stride {
                    sums[lane] = self.add(sums[lane], sums[lane + stride]);
                }
                stride /= 2;
            }
        }

        /// As interleaved_strided.wgsl.
        fn interleaved(&mut self, sums: &mut [Depth]) {
            let mut stride = 1;
            while stride < sums.len() {
                for i in (0..sums.len()).step_by(2 * stride) {
                    sums[i] = self.add(sums[i], sums[i + stride]);
                }
                stride *= 2;
            }
        }

        /// All lanes add, also those whose sum is not used.
        fn shuffles(&mut self, lanes: &mut [Depth]) {
            let mut mask = lanes.len() / 2;
            while mask > 0 {
                let before = lanes.to_vec();
                for lane in 0..lanes.len() {
                    lanes[lane] = self.add(before[lane], before[lane ^ mask]);
                }
                mask /= 2;
            }
        }

        /// As workgroup_sum in shuffle_xor.wgsl.
        fn workgroup_sum(&mut self, lanes: &mut [Depth], size: usize) -> Depth {
            lanes.chunks_mut(size).for_each(|subgroup| self.shuffles(subgroup));
            let sums: Vec<Depth> = lanes.chunks(size).map(|subgroup| subgroup[0]).collect();
            let mut total = 0;
            for _ in &sums {
                let mut rest = vec![0; size];
                for (lane, rest) in rest.iter_mut().enumerate() {
                    for &sum in sums.iter().skip(lane).step_by(size) {
                        *rest = self.add(*rest, sum);
                    }
                }
                self.shuffles(&mut rest);
                total = rest[0];
            }
            total
        }

        /// Two elements for each lane.
        fn first_add(&mut self, values: &[Depth]) -> Vec<Depth> {
            let value = |i: usize| values.get(i).copied().unwrap_or(0);
            (0..LANE_COUNT).map(|lane| self.add(value(lane), value(lane + LANE_COUNT))).collect()
        }

        fn by_levels(
            &mut self,
            len: usize,
            items: usize,
            workgroup: &mut dyn FnMut(&mut Self, &[Depth]) -> Depth,
        ) {
            let mut values = vec![0; len];
            loop {
                // Sums wait for the whole level: a dispatch ends before the next one begins.
                let sums: Vec<Depth> =
                    values.chunks(items).map(|values| workgroup(self, values)).collect();
                values = sums;
                if values.len() == 1 {
                    return;
                }
            }
        }
    }

    const LANE_COUNT: usize = 256;
    const LENS: [usize; 9] = [1, 3, 255, 256, 257, 512, 1000, 65_537, 140_000];
    const SIZES: [usize; 6] = [4, 8, 16, 32, 64, 128];

    fn padded(values: &[Depth]) -> Vec<Depth> {
        let mut values = values.to_vec();
        values.resize(LANE_COUNT, 0);
        values
    }

    #[test]
    fn trees() {
        for len in LENS {
            let mut machine = Machine::default();
            machine.by_levels(len, LANE_COUNT, &mut |machine, values| {
                let mut sums = padded(values);
                machine.tree(&mut sums, 1);
                sums[0]
            });
            machine.is(tree(len as u64));

            let mut machine = Machine::default();
            machine.by_levels(len, LANE_COUNT, &mut |machine, values| {
                let mut sums = padded(values);
                machine.interleaved(&mut sums);
                sums[0]
            });
            machine.is(tree(len as u64));

            let mut machine = Machine::default();
            machine.by_levels(len, 2 * LANE_COUNT, &mut |machine, values| {
                let mut sums = machine.first_add(values);
                machine.tree(&mut sums, 1);
                sums[0]
            });
            machine.is(first_add(len as u64));
        }
    }

    #[test]
    fn subgroups() {
        for (len, size) in LENS.into_iter().flat_map(|len| SIZES.map(|size| (len, size))) {
            let sizes = (len as u64, size as u64);
            let mut machine = Machine::default();
            machine.by_levels(len, 2 * LANE_COUNT, &mut |machine, values| {
                let mut sums = machine.first_add(values);
                machine.tree(&mut sums, size);
                // Each subgroup adds the rest, as a tree.
                for _ in 1..LANE_COUNT / size {
                    machine.tree(&mut sums[..size].to_vec(), 1);
                }
                machine.tree(&mut sums[..size], 1);
                sums[0]
            });
            machine.is(last_subgroup(sizes.0, sizes.1));

            let mut machine = Machine::default();
            let mut shuffled = |machine: &mut Machine, values: &[Depth]| {
                let mut lanes = machine.first_add(values);
                machine.workgroup_sum(&mut lanes, size)
            };
            machine.by_levels(len, 2 * LANE_COUNT, &mut shuffled);
            machine.is(shuffle_down(sizes.0, sizes.1));

            let mut machine = Machine::default();
            let values = vec![0; len];
            let partials: Vec<Depth> = values
                .chunks(2 * LANE_COUNT)
                .map(|values| shuffled(&mut machine, values))
                .collect();
            let mut lanes = vec![0; LANE_COUNT];
            for round in partials.chunks(LANE_COUNT) {
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    *sum = machine.add(*sum, round.get(lane).copied().unwrap_or(0));
                }
            }
            machine.workgroup_sum(&mut lanes, size);
            machine.is(two_passes(sizes.0, sizes.1));
        }
    }

    #[test]
    fn atomics() {
        for (len, size) in LENS.into_iter().flat_map(|len| SIZES.map(|size| (len, size))) {
            let (len_64, size_64) = (len as u64, size as u64);
            let mut machine = Machine::default();
            let total = (0..len).fold(0, |total, _| machine.add(total, 0));
            machine.is(atomic_per_element(len_64));
            assert_eq!(total, len_64);

            let mut machine = Machine::default();
            let vectors: Vec<Depth> = (0..len.div_ceil(4))
                .map(|_| {
                    let (low, high) = (machine.add(0, 0), machine.add(0, 0));
                    machine.add(low, high)
                })
                .collect();
            vectors.into_iter().fold(0, |total, sum| machine.add(total, sum));
            machine.is(atomic_per_vector(len_64));

            let values = vec![0; len];
            let mut machine = Machine::default();
            let sums: Vec<Depth> = values
                .chunks(2 * LANE_COUNT)
                .map(|values| {
                    let mut lanes = machine.first_add(values);
                    machine.workgroup_sum(&mut lanes, size)
                })
                .collect();
            sums.into_iter().fold(0, |total, sum| machine.add(total, sum));
            machine.is(workgroup_atomic(len_64, size_64));

            let mut machine = Machine::default();
            let mut sums = Vec::new();
            for values in values.chunks(2 * LANE_COUNT) {
                let mut lanes = machine.first_add(values);
                lanes.chunks_mut(size).for_each(|subgroup| machine.shuffles(subgroup));
                sums.extend(lanes.chunks(size).map(|subgroup| subgroup[0]));
            }
            sums.into_iter().fold(0, |total, sum| machine.add(total, sum));
            machine.is(subgroup_atomic(len_64, size_64));

            let mut machine = Machine::default();
            let mut sums = Vec::new();
            for values in values.chunks(LANE_COUNT) {
                for subgroup in padded(values).chunks_mut(size) {
                    machine.tree(subgroup, 1);
                    sums.push(subgroup[0]);
                }
            }
            sums.into_iter().fold(0, |total, sum| machine.add(total, sum));
            machine.is(integer_per_subgroup(len_64, size_64));
        }
    }

    #[test]
    fn strides() {
        for (workgroups, rounds) in [(1u64, 1), (1, 7), (3, 1), (5, 4)] {
            let mut machine = Machine::default();
            let mut sums = Vec::new();
            for _ in 0..workgroups {
                let mut lanes = Vec::new();
                for _ in 0..LANE_COUNT {
                    let v = [0; 4].map(|zero| (0..rounds).fold(zero, |sum, _| machine.add(sum, 0)));
                    let (low, high) = (machine.add(v[0], v[1]), machine.add(v[2], v[3]));
                    lanes.push(machine.add(low, high));
                }
                machine.tree(&mut lanes, 1);
                sums.push(lanes[0]);
            }
            sums.into_iter().fold(0, |total, sum| machine.add(total, sum));
            machine.is(grid_stride(workgroups, rounds));

            // The first lane has a struct in each round, and the last ones lack one in the last.
            let structs = workgroups * LANES * rounds - 7;
            let mut machine = Machine::default();
            for _ in 0..3 {
                let lanes = workgroups * LANES;
                let mut depths: Vec<Depth> = (0..lanes)
                    .map(|lane| {
                        let mine = (0..rounds).filter(|round| lane + round * lanes < structs);
                        mine.fold(0, |sum, _| machine.add(sum, 0))
                    })
                    .collect();
                let mut sums = Vec::new();
                for lanes in depths.chunks_mut(LANE_COUNT) {
                    machine.tree(lanes, 1);
                    sums.push(lanes[0]);
                }
                sums.into_iter().fold(0, |total, sum| machine.add(total, sum));
            }
            machine.is(fields(3, structs, workgroups, rounds));
        }
    }

    #[test]
    fn the_library() {
        for len in [2, 3, 7, 8, 4096, 4097, 100_000, (1 << 23) + 1] {
            let mut machine = Machine::default();
            // A binary counter: bit k of the number of elements so far is a run of 2^k.
            let mut runs: Vec<Option<Depth>> = Vec::new();
            for _ in 0..len {
                let mut total = 0;
                let mut level = 0;
                while let Some(left) = runs.get_mut(level).and_then(Option::take) {
                    total = machine.add(left, total);
                    level += 1;
                }
                runs.resize(runs.len().max(level + 1), None);
                runs[level] = Some(total);
            }
            let longest_first = runs.into_iter().rev().flatten();
            longest_first.reduce(|left, right| machine.add(left, right));
            machine.is(gridfold(len));
        }
        assert_eq!(gridfold(1), Work { work: 1, steps: 1 });
    }
}
