//! Parts of a reduction for every core.

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
    len - len / threads() >= SHARED_ITEMS
}

/// Calls `fold` for each part, on every core, and `keep` with what it returns, in any order.
///
/// The caller begins at once, and others join in when they have woken up.
#[cfg(feature = "parallel")]
pub(super) fn share<R>(
    parts: usize,
    fold: impl Fn(usize) -> R + Sync,
    keep: impl FnMut(usize, R) + Send,
) {
    use std::sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    };
    let next = AtomicUsize::new(0);
    let keep = Mutex::new(keep);
    let work = || {
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                break;
            }
            let folded = fold(part);
            // Where one thread has panicked, the scope panics, and nobody sees what was kept.
            keep.lock().unwrap_or_else(PoisonError::into_inner)(part, folded);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..threads().min(parts) {
            scope.spawn(|_| work());
        }
        work();
    });
}
