//! Several executors as one: a sequence is cut among them, and the parts merge to the bits of one piece.

use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        operator::Operator,
        operators::{Dot, DotValue},
        precision::Precision,
    },
    cpu::{
        runs::{self, Runs},
        table::fold_of,
    },
    device::capabilities::AdapterName,
    error::{CreateError, Error, PrepareError, ReadError, SelectError},
    exact::LengthMismatch,
    executor::{Executor, adapters, array::Array},
    partial::{AnyPartial, Partial, end_of},
};
use std::{fmt, ops::Range, slice, thread};

/// Several executors, such as all GPUs of a machine, that reduce as one: each a part, at the same time, with the bits of one
/// executor alone. The makers of the GPUs may differ, and the CPU may be one of them.
///
/// ```
/// use gridfold::{Executor, Group};
///
/// let group = Group::new([Executor::auto(), Executor::cpu()])?;
/// let values: Vec<f32> = (0..1000).map(|i| 1.0 / (1 + i) as f32).collect();
/// assert_eq!(group.sum(&values)?, Executor::cpu().sum(&values)?);
///
/// let array = group.upload(&values)?; // a shard for each
/// assert_eq!(array.max()?, Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Group {
    members: Vec<Executor>,
}

/// A value that a [`Group`] has made, and which member made which part of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroupReduction<V> {
    /// The value.
    pub value: V,
    /// The parts, in order.
    pub shares: Vec<Share>,
    /// Adapters that were lost on the way. Others have made their parts.
    pub lost: Vec<AdapterName>,
}

/// The part that one executor has reduced.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// What has done it: the executor's adapter, or the CPU. An executor with a GPU leaves to the CPU what
    /// [`HostSlices`](crate::HostSlices) says, and exact parts of `f64`s.
    pub adapter: AdapterName,
    /// The elements' positions.
    pub range: Range<u64>,
}

impl Group {
    /// A group of these executors. Results have the precision of the first one.
    ///
    /// # Errors
    ///
    /// [`SelectError::NoMatch`] if there are none.
    pub fn new(members: impl IntoIterator<Item = Executor>) -> Result<Self, Error> {
        let members: Vec<Executor> = members.into_iter().collect();
        match members.first() {
            Some(first) => Ok(Self { members: members.clone() }.precision(first.precision)),
            None => {
                let (selector, adapters) = ("a GPU".to_owned(), Vec::new());
                Err(SelectError::NoMatch { selector, adapters }.into())
            }
        }
    }

    /// A group of all GPUs that can be used, each with a device of its own. Drivers in software are no GPUs. A GPU that several
    /// backends offer is taken once, OpenGL last.
    ///
    /// # Errors
    ///
    /// [`SelectError::NoMatch`] if there is no GPU.
    pub fn of_all_gpus() -> Result<Self, Error> {
        let gpus = adapters::by_stages().map(adapters::gpus).find(|gpus| !gpus.is_empty());
        Self::new(gpus.unwrap_or_default())
    }

    /// Sets the promise of results.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        let members = self.members.into_iter().map(|member| member.precision(precision));
        Self { members: members.collect() }
    }

    /// The executors.
    pub fn members(&self) -> &[Executor] {
        &self.members
    }

    /// Reduces `values`: each member a part of the same length, at the same time, where its [`Executor::host_slices`] says. What a member
    /// leaves that loses its device the others do.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_part`], and `DeviceLost` if no member is left.
    pub fn reduce<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<GroupReduction<Op::Value>, Error> {
        let (made, lost) = self.in_parts(values.len(), |member, range| {
            let own = bytemuck::cast_slice(&values[range.clone()]);
            member.part_by(fold_of::<T, Op>(&op)?, own, range.start as u64)
        })?;
        let (shares, parts): (Vec<_>, Vec<_>) = made
            .into_iter()
            .map(|(_, (part, adapter))| (Share { adapter, range: part.range() }, part))
            .unzip();
        let whole = Partial::<T, Op>::of(AnyPartial::merge_all(parts)?);
        Ok(GroupReduction { value: whole.finish()?, shares, lost })
    }

    /// The dot product ([`Dot`]) of two slices, each member a part of it. An exact one a single member makes.
    ///
    /// # Errors
    ///
    /// As [`Executor::dot`], and `DeviceLost` if no member is left.
    #[doc(alias("inner_product"))]
    pub fn dot<T: Element>(&self, left: &[T], right: &[T]) -> Result<DotValue<T>, Error>
    where
        Dot: Operator<(T, T)>,
    {
        /// Pairs of a run that no device is asked for.
        const SHORT: usize = 1 << 16;
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        if self.members.iter().any(|member| member.precision == Precision::Exact) {
            let mut dots = self.members.iter().map(|member| member.dot(left, right));
            let first = dots.find(|dot| !matches!(dot, Err(error) if is_lost(error)));
            return first.unwrap_or(Err(PrepareError::DeviceLost.into()));
        }
        // The dot product of a run of pairs by itself is what it comes to in all of them.
        let (made, _) = self.in_parts(left.len(), |member, range| {
            let total = |run: Range<u64>| {
                let [begin, end] = [run.start, run.end]
                    .map(|position| usize::try_from(position).expect("positions in a slice"));
                let member = if end - begin < SHORT { Executor::cpu() } else { member.clone() };
                let member = member.precision(Precision::Reproducible);
                member.dot(&left[begin..end], &right[begin..end])
            };
            let runs = runs::positions(range.start as u64, range.end as u64);
            runs.map(total).collect::<Result<Vec<_>, _>>()
        })?;
        let fold = fold_of::<(T, T), _>(&Dot)?;
        let words = |total: &DotValue<T>| {
            let out = Dot::out(*total).expect("pairs have a dot product");
            Words::from(bytemuck::cast_slice(slice::from_ref(&out)))
        };
        let combine = |left: Words, right: Words| fold.combine(&left, &right, false);
        let mut whole = Runs::new(0);
        for (range, totals) in made {
            let totals = totals.iter().map(words);
            let part = Runs::of_totals(range.start as u64, range.end as u64, totals);
            whole.append(&part, combine);
        }
        let total = whole.finish(combine).unwrap_or_else(|| fold.identity());
        let mut dot: <Dot as Operator<(T, T)>>::Out = bytemuck::Zeroable::zeroed();
        let out = bytemuck::cast_slice_mut(slice::from_mut(&mut dot));
        fold.finish(&total, left.len() as u64, out);
        Ok(Dot::value(dot, left.len() as u64))
    }

    /// What members make of a part of so many elements each, at the same time, in the order of the parts. What a member leaves that loses its
    /// device the others do; the lost ones are named.
    fn in_parts<P: Send>(
        &self,
        len: usize,
        make: impl Fn(&Executor, Range<usize>) -> Result<P, Error> + Sync,
    ) -> Result<Parts<P>, Error> {
        end_of(0, len as u64)?;
        let make = &make;
        let mut made = Vec::new();
        let mut members: Vec<&Executor> = self.members.iter().collect();
        let mut lost = Vec::new();
        let all = 0..len;
        let mut rest = vec![all];
        while !rest.is_empty() {
            let cuts: Vec<Range<usize>> =
                rest.drain(..).flat_map(|range| shares(range, members.len())).collect();
            let results = in_threads(cuts.iter().enumerate().map(|(index, range)| {
                let member = members[index % members.len()];
                move || make(member, range.clone())
            }));
            let mut lost_now = Vec::new();
            for (index, (range, result)) in cuts.into_iter().zip(results).enumerate() {
                let member = index % members.len();
                match result {
                    Ok(part) => made.push((range, part)),
                    Err(error) if is_lost(&error) => {
                        rest.push(range);
                        if !lost_now.contains(&member) {
                            lost_now.push(member);
                        }
                        if members.len() == lost_now.len() {
                            return Err(error);
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            lost.extend(lost_now.iter().map(|&member| members[member].name()));
            let mut index = 0;
            members.retain(|_| {
                index += 1;
                !lost_now.contains(&(index - 1))
            });
        }
        made.sort_by_key(|(range, _)| (range.start, range.end));
        Ok((made, lost))
    }

    pub(super) fn value<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Op::Value, Error> {
        Ok(self.reduce(values, op)?.value)
    }

    /// Copies a part of `values` to each member's device, at the same time.
    ///
    /// # Errors
    ///
    /// As [`Executor::upload`], of any member.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<ShardedArray<T>, Error> {
        let cuts = shares(0..values.len(), self.members.len());
        let uploads = self.members.iter().zip(&cuts).map(|(member, range)| {
            move || {
                let array = member.upload(&values[range.clone()])?;
                Ok(Shard { adapter: member.name(), first: range.start as u64, array })
            }
        });
        let shards = in_threads(uploads).into_iter().collect::<Result<_, Error>>()?;
        Ok(ShardedArray { shards })
    }
}

/// The parts in order, and the adapters that were lost.
type Parts<P> = (Vec<(Range<usize>, P)>, Vec<AdapterName>);

/// Elements of which each member of a [`Group`] has a part.
#[derive(Clone, Debug)]
pub struct ShardedArray<T> {
    shards: Vec<Shard<T>>,
}

#[derive(Clone, Debug)]
struct Shard<T> {
    adapter: AdapterName,
    first: u64,
    array: Array<T>,
}

impl<T: Element> ShardedArray<T> {
    /// Length in elements.
    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.array.len()).sum()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each member's adapter, the position of its first element, and its elements.
    pub fn shards(&self) -> impl Iterator<Item = (&AdapterName, u64, &Array<T>)> {
        self.shards.iter().map(|Shard { adapter, first, array }| (adapter, *first, array))
    }

    /// Reduces the elements, each member its own, at the same time, and tells which member did what.
    ///
    /// # Errors
    ///
    /// [`ShardsLost`], with the total of the others' elements, if a member fails. Its only failure may be `PrepareError::Unsupported`, of an operator without such options for the elements.
    pub fn reduce<Op: Operator<T>>(
        &self,
        op: Op,
    ) -> Result<GroupReduction<Op::Value>, ShardsLost<T, Op>> {
        let fold = fold_of::<T, Op>(&op).map_err(|error| ShardsLost {
            failures: vec![(AdapterName::cpu(), error.into())],
            parts: Vec::new(),
        })?;
        let results =
            in_threads(self.shards.iter().map(|shard| || shard.array.part_by(fold, shard.first)));
        let mut lost = ShardsLost { failures: Vec::new(), parts: Vec::new() };
        let mut shares = Vec::new();
        for (Shard { adapter, .. }, result) in self.shards.iter().zip(results) {
            match result {
                Ok((part, adapter)) => {
                    shares.push(Share { adapter, range: part.range() });
                    lost.parts.push(Partial::of(part));
                }
                Err(error) => lost.failures.push((adapter.clone(), error)),
            }
        }
        if !lost.failures.is_empty() {
            return Err(lost);
        }
        let whole = Partial::merge_all(lost.parts.iter().cloned());
        match whole.and_then(|whole| whole.finish()) {
            Ok(value) => Ok(GroupReduction { value, shares, lost: Vec::new() }),
            Err(error) => {
                lost.failures.push((AdapterName::cpu(), error.into()));
                Err(lost)
            }
        }
    }

    pub(super) fn value<Op: Operator<T>>(&self, op: Op) -> Result<Op::Value, ShardsLost<T, Op>> {
        Ok(self.reduce(op)?.value)
    }
}

/// Members of a group have failed. What the others' elements come to is here, and lost is what the failed ones have.
pub struct ShardsLost<T: Element, Op: Operator<T>> {
    /// Which adapters, and why.
    pub failures: Vec<(AdapterName, Error)>,
    /// The parts of the other members, in order.
    pub parts: Vec<Partial<T, Op>>,
}

impl<T: Element, Op: Operator<T>> fmt::Debug for ShardsLost<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardsLost")
            .field("failures", &self.failures)
            .field("parts", &self.parts)
            .finish()
    }
}

impl<T: Element, Op: Operator<T>> fmt::Display for ShardsLost<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (adapter, error)) in self.failures.iter().enumerate() {
            let separator = if index > 0 { "; " } else { "" };
            write!(f, "{separator}{adapter}: {error}")?;
        }
        f.write_str(": bring the elements of what has failed to another device, and merge their parts with those that are here")
    }
}

impl<T: Element, Op: Operator<T>> std::error::Error for ShardsLost<T, Op> {}

/// As many parts as there are members, of about one length. Long ones are cut where long runs end.
fn shares(range: Range<usize>, members: usize) -> Vec<Range<usize>> {
    /// Elements.
    const LONG: usize = 1 << 20;
    let unit = if range.len() / members >= 2 * LONG { LONG } else { 1 };
    let end = |share: usize| match share {
        0 => range.start,
        _ if share == members => range.end,
        // Without the product of two lengths, which might not fit.
        _ => {
            let (whole, rest) = (range.len() / members, range.len() % members);
            let end = range.start + whole * share + rest * share / members;
            end / unit * unit
        }
    };
    (0..members).map(|share| end(share)..end(share + 1)).collect()
}

/// What the tasks return, each run by a thread of its own.
fn in_threads<R: Send, F: FnOnce() -> R + Send>(tasks: impl Iterator<Item = F>) -> Vec<R> {
    thread::scope(|scope| {
        let threads: Vec<_> = tasks.map(|task| scope.spawn(task)).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn is_lost(error: &Error) -> bool {
    matches!(
        error,
        Error::Create(CreateError::DeviceLost)
            | Error::Prepare(
                PrepareError::DeviceLost | PrepareError::Create(CreateError::DeviceLost)
            )
            | Error::Read(ReadError::DeviceLost)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_all_there_is() {
        for members in 1..8 {
            for len in [0, 1, 2, 5, 100, 1 << 22, (3 << 22) + 17] {
                let shares = shares(7..7 + len, members);
                assert_eq!((shares.len(), shares[0].start), (members, 7));
                assert_eq!(shares[members - 1].end, 7 + len);
                assert!(shares.windows(2).all(|two| two[0].end == two[1].start));
                let longest = shares.iter().map(Range::len).max().expect("one");
                assert!(longest <= len / members + (1 << 20) + 1, "{longest} of {len}");
            }
        }
    }
}
