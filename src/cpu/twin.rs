//! Users' own operators, in Rust.

use super::{
    fold::{Fold, InputParts, Inputs, ScanBlock, elements, in_order, write_each, write_out},
    prefixes::Prefixes,
    runs::Runs,
};
use crate::algebra::{
    acc_words::Words, element::Element, exact_total::ExactTotal, operator::OperatorSpec,
};
use bytemuck::Pod;
use std::{
    marker::PhantomData,
    panic::{AssertUnwindSafe, RefUnwindSafe},
};

/// The total in the order of [`crate::order`].
pub(crate) fn total_by<A: Clone>(
    items: impl IntoIterator<Item = A>,
    identity: A,
    combine: &impl Fn(A, A) -> A,
) -> A {
    let mut runs = Runs::new(0);
    for item in items {
        runs.push(0, item, combine);
    }
    runs.finish(combine).unwrap_or(identity)
}

/// An operator's functions. Accumulators are kept as their bytes, in whole words.
pub(crate) struct Twin<T, Out, A, Functions> {
    spec: OperatorSpec,
    identity: A,
    functions: AssertUnwindSafe<Functions>,
    types: PhantomData<fn(T) -> Out>,
}

impl<T, Out, A, Lift, Combine, Finish> Twin<T, Out, A, (Lift, Combine, Finish)>
where
    T: Element,
    Out: Pod,
    A: Pod,
    Lift: Fn(T) -> A,
    Combine: Fn(A, A) -> A,
    Finish: Fn(A) -> Out,
{
    pub(crate) fn new(spec: OperatorSpec, identity: A, functions: (Lift, Combine, Finish)) -> Self {
        Self { spec, identity, functions: AssertUnwindSafe(functions), types: PhantomData }
    }

    fn total_of(&self, elements: &[T]) -> A {
        let (lift, combine, _) = &*self.functions;
        if self.spec.order_free {
            return elements.iter().fold(self.identity, |total, &x| combine(total, lift(x)));
        }
        let total = in_order(elements.len(), |_| None, |i| lift(elements[i]), combine);
        total.unwrap_or(self.identity)
    }
}

impl<T, Out, A, Lift, Combine, Finish> Fold for Twin<T, Out, A, (Lift, Combine, Finish)>
where
    T: Element,
    Out: Pod,
    A: Pod + Sync + RefUnwindSafe,
    Lift: Fn(T) -> A + Sync,
    Combine: Fn(A, A) -> A + Sync,
    Finish: Fn(A) -> Out + Sync,
{
    fn spec(&self) -> &OperatorSpec {
        &self.spec
    }

    fn identity(&self) -> Words {
        words_of(self.identity)
    }

    fn lift(&self, element: &[u8]) -> Words {
        let (lift, ..) = &*self.functions;
        words_of(lift(bytemuck::pod_read_unaligned(element)))
    }

    fn combine(&self, left: &[u32], right: &[u32], _by_floats: bool) -> Words {
        let (_, combine, _) = &*self.functions;
        words_of(combine(acc_of(left), acc_of(right)))
    }

    fn moved(&self, total: Words, _by: u64) -> Words {
        total
    }

    fn total(&self, [bytes, _]: Inputs<'_>, _by_floats: bool) -> Words {
        words_of(self.total_of(elements(bytes)))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, total: &mut Words, _begin: u64, bytes: &[u8], kept: &[u32]) {
        let (lift, combine, _) = &*self.functions;
        let counted = elements(bytes).iter().zip(kept).filter(|(_, is_kept)| **is_kept != 0);
        let before = acc_of(total);
        *total = words_of(counted.fold(before, |total, (&x, _)| combine(total, lift(x))));
    }

    fn finish(&self, total: &[u32], _len: u64, out: &mut [u32]) {
        let (.., finish) = &*self.functions;
        write_out(finish(acc_of(total)), out);
    }

    fn reduce_each(&self, [bytes, _]: Inputs<'_>, ends: &[usize], outs: &mut [u32], _: bool) {
        let ((.., finish), elements) = (&*self.functions, elements(bytes));
        write_each(ends, outs, |own| finish(self.total_of(&elements[own])));
    }

    fn scan(&self, block: ScanBlock<'_>, _by_floats: bool) {
        let ScanBlock { is_inclusive, total, elements: bytes, outs, .. } = block;
        let (lift, combine, finish) = &*self.functions;
        let elements: &[T] = elements(bytes);
        let outs: &mut [Out] = match outs {
            [] => return,
            outs => bytemuck::cast_slice_mut(outs),
        };
        let mut before: A = acc_of(total);
        if self.spec.order_free {
            for (&element, out) in elements.iter().zip(outs) {
                let behind = combine(before, lift(element));
                *out = finish(if is_inclusive { behind } else { before });
                before = behind;
            }
            *total = words_of(before);
            return;
        }
        // On the heap: accumulators may be large.
        let mut prefixes = Prefixes::new(before);
        for (&element, out) in elements.iter().zip(outs) {
            let before = prefixes.total();
            prefixes.push(0, lift(element), combine);
            *out = finish(if is_inclusive { prefixes.total() } else { before });
        }
        *total = words_of(prefixes.last_run());
    }

    fn exact_total(&self, _parts: InputParts<'_>) -> Option<ExactTotal> {
        None
    }

    fn exact_finish(&self, total: &ExactTotal, _out: &mut [u32]) {
        unreachable!("no user's operator has {total:?}")
    }

    fn write(&self, acc: &[u32]) -> Words {
        acc.into()
    }

    fn read(&self, words: &[u32]) -> Option<Words> {
        Some(words.into())
    }
}

fn words_of<A: Pod>(acc: A) -> Words {
    let mut words = Words::zeros(size_of::<A>().div_ceil(size_of::<u32>()));
    bytemuck::cast_slice_mut(&mut words)[..size_of::<A>()]
        .copy_from_slice(bytemuck::bytes_of(&acc));
    words
}

fn acc_of<A: Pod>(words: &[u32]) -> A {
    bytemuck::pod_read_unaligned(&bytemuck::cast_slice(words)[..size_of::<A>()])
}
