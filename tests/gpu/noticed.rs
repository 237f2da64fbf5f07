//! A committed file says which mutations a device noticed, so that tier 1 asks about changed shader files alone.
//!
//! A hash stands for the tokens of a file and for its mutations: neither a comment nor another name changes it. A run that notices all mutations of a
//! file that it reaches writes the hash, to be committed with the change. Without `noticed.txt` tier 1 asks about every file.

use crate::{Tier, VULKAN, device::Gpu, tokens::tokens};
use gridfold::{Variant, shader::Sources};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    sync::{LazyLock, Mutex, PoisonError},
};

/// Read when the tests run. If it were compiled in, each new hash would compile the tests anew.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gpu/noticed.txt");

static SOURCES: LazyLock<Sources> = LazyLock::new(Sources::default);
static NOTICED: LazyLock<BTreeSet<String>> = LazyLock::new(read);
/// The hashes of this build's files.
static CURRENT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The mutations of a file.
pub struct Noticed {
    hash: String,
    /// Nobody noticed them so far.
    pub is_new: bool,
}

impl Noticed {
    /// Of one variant, if only that has them.
    pub fn of(
        file: &str,
        variant: Option<Variant>,
        mutations: impl Iterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        let text = SOURCES.text(file).expect("it is there");
        let mutations = mutations.flat_map(|(from, to)| [from, to]);
        let mut hash = Sha256::new();
        for word in variant.map(Variant::name).into_iter().chain(tokens(text)).chain(mutations) {
            hash.update((word.len() as u64).to_le_bytes());
            hash.update(word);
        }
        let hash: String = hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        locked().insert(hash.clone());
        let is_new = !NOTICED.contains(&hash);
        Self { hash, is_new }
    }

    /// The first tier for new ones.
    pub fn tier(&self, tier: Tier) -> Tier {
        if self.is_new { Tier::One(VULKAN) } else { tier }
    }

    /// Keeps the hash, if the device runs the kernels of both variants, and single passes. It may lack what tier 1's driver lacks, too:
    /// other devices see those mutations in tier 2.
    pub fn keep(&self, gpu: &Gpu) {
        let can = gpu.capabilities();
        if !self.is_new || can.subgroups.is_none() || !can.coherent_memory {
            return;
        }
        let current = locked();
        // Another process may have written meanwhile.
        let mut noticed = read();
        noticed.insert(self.hash.clone());
        let noticed = noticed.intersection(&current);
        let text: String = noticed.map(|hash| format!("{hash}\n")).collect();
        let new = format!("{FILE}.{}", std::process::id());
        let written = fs::write(&new, text).and_then(|()| fs::rename(&new, FILE));
        match written {
            Ok(()) => eprintln!("noticed, and kept for a commit: {FILE}"),
            Err(problem) => {
                eprintln!("{FILE} can't be written, so the next run asks again: {problem}");
            }
        }
    }
}

fn read() -> BTreeSet<String> {
    match fs::read_to_string(FILE) {
        Ok(text) => text.lines().map(str::to_owned).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => BTreeSet::new(),
        Err(error) => panic!("{FILE} can't be read: {error}"),
    }
}

fn locked() -> std::sync::MutexGuard<'static, BTreeSet<String>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}
