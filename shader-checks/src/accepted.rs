//! What compilers accepted: a file of hashes, so that they are asked about each pipeline once.
//!
//! A hash stands for a module's tokens, its constants, the compiler, its version, and how it is asked. So a comment changes no hash, and whatever else
//! changes the compiler's answer makes another one.

use crate::{
    cover::Languages,
    modules::Shader,
    tokens::tokens,
    translate::{Values, Vulkan},
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The committed file, below the crate's root.
pub const FILE: &str = "accepted.txt";

/// A compiler that is asked about pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// Chrome's, of WGSL.
    Tint,
    /// The one for DX12, of HLSL.
    Dxc,
    /// The validator of SPIR-V, for a kind of device.
    SpirvVal(Vulkan),
}

impl Compiler {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Tint, Self::Dxc, Self::SpirvVal(Vulkan::ALL[0]), Self::SpirvVal(Vulkan::ALL[1])];

    /// Its name in records.
    pub fn name(self) -> String {
        match self {
            Self::Tint => "Tint".to_owned(),
            Self::Dxc => "DXC".to_owned(),
            Self::SpirvVal(vulkan) => format!("spirv-val, {}", vulkan.environment),
        }
    }

    /// Whether a device that it compiles for can select a module of these languages.
    pub fn sees(self, languages: Languages) -> bool {
        match self {
            Self::Tint => languages.browsers,
            Self::Dxc => languages.dx12,
            Self::SpirvVal(_) => true,
        }
    }

    /// Files that say how it is asked, and which version is downloaded.
    fn how(self) -> &'static [&'static str] {
        match self {
            Self::Tint => &[
                include_str!("../tools/tint/check.mjs"),
                include_str!("../tools/tint/package-lock.json"),
                include_str!("compilers/tint.rs"),
            ],
            Self::Dxc => &[
                include_str!("../tools/dxc/compile.cpp"),
                include_str!("../tools/dxc/requirements.txt"),
                include_str!("compilers/dxc.rs"),
            ],
            Self::SpirvVal(_) => &[include_str!("compilers/spirv_val.rs")],
        }
    }
}

/// A module as compilers see it.
#[derive(Debug)]
pub struct Module {
    /// For which devices it is.
    pub languages: Languages,
    hash: [u8; 32],
}

impl Module {
    /// The module of a shader.
    pub fn of(shader: &Shader) -> Self {
        let tokens = tokens(&shader.text);
        let mut hash = Hash::default();
        hash.add(shader.entry_point);
        hash.add(if shader.loop_counters { "with loop counters" } else { "" });
        tokens.iter().for_each(|token| hash.add(token));
        Self { languages: Languages::of(tokens.into_iter()), hash: hash.0.finalize().into() }
    }
}

/// Questions to one version of a compiler, as hashes.
#[derive(Debug)]
pub struct Questions(Hash);

impl Questions {
    /// Of a compiler and its version.
    pub fn new(compiler: Compiler, version: &str) -> Self {
        let mut hash = Hash::default();
        hash.add(&compiler.name());
        hash.add(version);
        compiler.how().iter().for_each(|file| hash.add(file));
        if compiler != Compiler::Tint {
            hash.add(include_str!("translate.rs"));
            // Whichever naga translates.
            let lock = include_str!("../../Cargo.lock");
            let naga = lock.split("\n\n").filter(|package| package.contains("\nname = \"naga\"\n"));
            naga.for_each(|package| hash.add(package));
        }
        Self(hash)
    }

    /// The hash of a question about a pipeline.
    pub fn about(&self, module: &Module, constants: Values) -> String {
        let mut hash = self.0.clone();
        hash.0.update(module.hash);
        hash.add(&format!("{:?}", constants.values()));
        hash.0.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[derive(Clone, Debug, Default)]
struct Hash(Sha256);

impl Hash {
    /// Lengths keep neighbours apart.
    fn add(&mut self, part: &str) {
        self.0.update(part.len().to_le_bytes());
        self.0.update(part);
    }
}

/// Of each compiler the version, and what it accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted(BTreeMap<String, (String, BTreeSet<String>)>);

impl Accepted {
    /// What a file says: for each compiler a line with its name and version, and then the hashes.
    pub fn read(text: &str) -> Self {
        let mut all = BTreeMap::new();
        let mut last = None;
        for line in text.lines() {
            if let Some((name, version)) = line.split_once(": ") {
                last = Some(
                    all.entry(name.to_owned()).or_insert((version.to_owned(), BTreeSet::new())),
                );
            } else if let Some((_, hashes)) = &mut last {
                hashes.insert(line.to_owned());
            }
        }
        Self(all)
    }

    /// As [`read`](Self::read) takes it.
    pub fn text(&self) -> String {
        let lines = self.0.iter().flat_map(|(name, (version, hashes))| {
            [format!("{name}: {version}\n")]
                .into_iter()
                .chain(hashes.iter().map(|it| format!("{it}\n")))
        });
        lines.collect()
    }

    /// The version of a compiler that was asked.
    pub fn version(&self, compiler: Compiler) -> Option<&str> {
        self.0.get(&compiler.name()).map(|(version, _)| version.as_str())
    }

    /// Whether a compiler accepted a question.
    pub fn has(&self, compiler: Compiler, hash: &str) -> bool {
        self.0.get(&compiler.name()).is_some_and(|(_, hashes)| hashes.contains(hash))
    }

    /// Sets what a version of a compiler accepted.
    pub fn set(&mut self, compiler: Compiler, version: &str, hashes: BTreeSet<String>) {
        self.0.insert(compiler.name(), (version.to_owned(), hashes));
    }
}
