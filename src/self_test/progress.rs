//! How far a self-test has come.

use super::cover::Pipeline;
use crate::{way::Mechanism, wgsl::shader::ShaderKey};
use std::{
    collections::HashSet,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// How far a self-test has come: [`crate::SelfTest::on_progress`] has it after each pipeline. First all are compiled, then each is compared.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SelfTestProgress {
    /// The kernel that was compiled or compared last.
    pub kernel: &'static str,
    /// How the invocations of its workgroups combine.
    pub mechanism: Mechanism,
    /// How many pipelines were compiled. Drivers may put that off until a pipeline is used.
    pub compiled: usize,
    /// How many had a first result compared.
    pub compared: usize,
    /// How many there are.
    pub all: usize,
}

/// The caller's function.
#[derive(Clone)]
pub(super) struct Listener(pub(super) Arc<dyn Fn(SelfTestProgress) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// Counts pipelines.
#[derive(Default)]
pub(super) struct Progress {
    listener: Option<Listener>,
    compiled: AtomicUsize,
    compared: Mutex<HashSet<Pipeline>>,
    all: usize,
}

impl Progress {
    pub(super) fn new(listener: Option<Listener>, all: usize) -> Self {
        Self { listener, all, ..Self::default() }
    }

    pub(super) fn add_compiled(&self, key: &ShaderKey) {
        self.compiled.fetch_add(1, Ordering::Relaxed);
        self.tell(key);
    }

    pub(super) fn add_compared(&self, pipeline: &Pipeline) {
        let compared = self.compared.lock();
        // Several devices have some of the same.
        if compared.unwrap_or_else(PoisonError::into_inner).insert(pipeline.clone()) {
            self.tell(&pipeline.0);
        }
    }

    fn tell(&self, key: &ShaderKey) {
        if let Some(Listener(tell)) = &self.listener {
            // The lock ends before the call, which may compile and come here again.
            let compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner).len();
            tell(SelfTestProgress {
                kernel: key.kernel.name(),
                mechanism: key.mechanism,
                compiled: self.compiled.load(Ordering::Relaxed),
                compared,
                all: self.all,
            });
        }
    }
}
