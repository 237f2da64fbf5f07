//! Which mutations were noticed: a committed file of hashes, so that tier 1 asks about changed shader files alone.
//!
//! A hash stands for the tokens of a file and for its mutations. A comment changes no hash. A run that notices all mutations of a
//! file writes the hash, to be committed with the change. Without `noticed.txt` tier 1 asks about every file.

use crate::{Tier, VULKAN, device::Gpu, tokens::tokens};
use gridfold::{Variant, shader::Sources};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    sync::{LazyLock, Mutex, PoisonError},
};

/// Read when the tests run. If it were compiled in, each new hash would compile the tests anew.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gpu/noticed.txt");

static NOTICED: LazyLock<Mutex<BTreeSet<String>>> = LazyLock::new(|| {
    let text = fs::read_to_string(FILE).unwrap_or_default();
    Mutex::new(text.lines().map(str::to_owned).collect())
});

/// The hashes that something stands for.
static CURRENT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

type Texts = (&'static str, &'static str);

/// The mutations of a file.
pub struct Noticed {
    hash: String,
}

impl Noticed {
    pub fn of(file: &str, mutations: impl Iterator<Item = Texts>) -> Self {
        Self::hashed(&[file], file, mutations)
    }

    pub fn of_variant(
        file: &str,
        variant: Variant,
        mutations: impl Iterator<Item = Texts>,
    ) -> Self {
        Self::hashed(&[file, variant.name()], file, mutations)
    }

    fn hashed(names: &[&str], file: &str, mutations: impl Iterator<Item = Texts>) -> Self {
        let sources = Sources::default();
        let text = sources.text(file).unwrap_or_default();
        let mut hash = Sha256::new();
        let mutations = mutations.flat_map(|(from, to)| [from, to]);
        for word in names.iter().copied().chain(tokens(text)).chain(mutations) {
            hash.update((word.len() as u64).to_le_bytes());
            hash.update(word);
        }
        let hash: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        locked(&CURRENT).insert(hash.clone());
        Self { hash }
    }

    /// Whether nobody noticed them so far.
    pub fn is_new(&self) -> bool {
        !locked(&NOTICED).contains(&self.hash)
    }

    /// The first tier for new ones.
    pub fn tier(&self, tier: Tier) -> Tier {
        if self.is_new() { Tier::One(VULKAN) } else { tier }
    }

    /// Keeps the hash, if the device is like those of tier 1, which have every kernel.
    pub fn keep(&self, gpu: &Gpu) {
        let can = gpu.capabilities();
        if can.subgroups.is_none() || !can.coherent_memory {
            return;
        }
        let mut noticed = locked(&NOTICED);
        if !noticed.insert(self.hash.clone()) {
            return;
        }
        let current = locked(&CURRENT);
        noticed.retain(|hash| current.contains(hash));
        let text: String = noticed.iter().map(|hash| format!("{hash}\n")).collect();
        if let Err(problem) = fs::write(FILE, text) {
            log::warn!("{FILE} can't be written, so the next run asks again: {problem}");
        }
    }
}

fn locked<T>(set: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}
