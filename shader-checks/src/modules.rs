//! Which modules there are.

use gridfold::{
    Arithmetic,
    shader::{Constants, Probe, ShaderKey, Sources},
};

/// The text of a module, its entry point, and the pipeline constants that it is used with.
#[derive(Clone, Debug)]
pub struct Shader {
    /// As in labels and errors.
    pub name: String,
    /// The kernel, or the probe.
    pub kernel: String,
    /// WGSL.
    pub text: String,
    /// The entry point's name.
    pub entry_point: &'static str,
    /// Every set of constants.
    pub constants: Vec<Constants>,
    /// Whether the library has wgpu add counters to the module's loops, which end them.
    pub loop_counters: bool,
    /// Whether its results are promised to the bit, so that its float operations need fences.
    pub promises_bits: bool,
}

/// Every module that the library may create.
pub fn all() -> Vec<Shader> {
    let sources = Sources::default();
    let kernels = ShaderKey::all().map(|key| Shader {
        name: key.to_string(),
        kernel: kernel(key),
        text: sources.compose(key),
        entry_point: key.kernel.entry_point(),
        constants: Constants::all(key.kernel),
        loop_counters: key.exchanges(),
        promises_bits: key.arithmetic != Arithmetic::Unchecked,
    });
    let probes = Probe::ALL.into_iter().map(|probe| Shader {
        name: probe.entry_point().to_owned(),
        kernel: "probes".to_owned(),
        text: sources.probe(probe),
        entry_point: probe.entry_point(),
        constants: vec![Constants::None],
        loop_counters: false,
        promises_bits: true,
    });
    kernels.chain(probes).collect()
}

/// The kernel, in the words of a key.
fn kernel(key: ShaderKey) -> String {
    let text = key.to_string();
    let operator = format!(", {} {}", key.operator, key.element);
    text.split_once(&operator).map_or(text.clone(), |(kernel, _)| kernel.to_owned())
}
