//! Parts of a reduction for every core.

#[cfg(all(not(target_arch = "wasm32"), feature = "parallel"))]
use crate::room::reserve;

#[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
pub(super) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}

/// Elements that the other threads have to take over before they are woken, which takes as long as folding some hundred
/// thousand, and longer where other programs use the cores.
#[cfg(feature = "parallel")]
const SHARED_ITEMS: usize = 3 << 18;
/// Elements of a thread's part, about.
#[cfg(feature = "parallel")]
pub(super) const PART_ITEMS: usize = 1 << 16;

#[cfg(feature = "parallel")]
pub(super) fn is_worth_threads(len: usize) -> bool {
    // Most are short, and to ask for the threads takes a while.
    len >= SHARED_ITEMS && len - len / threads() >= SHARED_ITEMS
}

/// Calls `fold` for each part, on every core, and `keep` with what it returns, in any order.
///
/// The caller begins at once, and others join in when they have woken up.
#[cfg(feature = "parallel")]
pub(super) fn share<R>(
    parts: usize,
    fold: &(dyn Fn(usize) -> R + Sync),
    keep: &mut (dyn FnMut(usize, R) + Send),
) {
    use std::sync::{Mutex, PoisonError};
    let keep = Mutex::new(keep);
    by_all(parts, &|part| {
        let folded = fold(part);
        // Where one thread has panicked, the scope panics, and what was kept is dropped.
        keep.lock().unwrap_or_else(PoisonError::into_inner)(part, folded);
    });
}

/// Does each part, on every core. Compiled once, whatever parts are.
#[cfg(feature = "parallel")]
fn by_all(parts: usize, part: &(dyn Fn(usize) + Sync)) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= parts {
                break;
            }
            part(number);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..threads().min(parts) {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// Elements of a part that one thread makes, in a part of its cache.
#[cfg(not(target_arch = "wasm32"))]
const MADE_ITEMS: usize = 1 << 14;
/// Elements that all threads make together, at most, before they are folded.
#[cfg(all(not(target_arch = "wasm32"), feature = "parallel"))]
const MADE_TOGETHER: usize = 1 << 22;

/// Makes `len` elements, and hands them on in parts, in their order: `make` is told where a part begins, and `keep` has it then. Parts begin at
/// multiples of a power of two.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn make_parts<T: bytemuck::Pod + Send>(
    len: usize,
    make: impl Fn(usize, &mut [T]) + Sync,
    mut keep: impl FnMut(&[T]),
) {
    let mut part = vec![T::zeroed(); len.min(MADE_ITEMS)];
    // Where there is no memory for more, one thread makes them.
    #[cfg(feature = "parallel")]
    if is_worth_threads(len)
        && reserve(&mut part, len.min(MADE_TOGETHER) - MADE_ITEMS, "a part").is_ok()
    {
        part.resize(len.min(MADE_TOGETHER), T::zeroed());
    }
    let most = part.len().max(1);
    for begin in (0..len).step_by(most) {
        let part = &mut part[..most.min(len - begin)];
        make_together(part, |at, made| make(begin + at, made));
        keep(part);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn make_together<T: Send>(part: &mut [T], make: impl Fn(usize, &mut [T]) + Sync) {
    let make = |(number, made): (usize, &mut [T])| make(number * MADE_ITEMS, made);
    #[cfg(feature = "parallel")]
    if part.len() > MADE_ITEMS {
        use rayon::prelude::*;
        return part.par_chunks_mut(MADE_ITEMS).enumerate().for_each(make);
    }
    part.chunks_mut(MADE_ITEMS).enumerate().for_each(make);
}
