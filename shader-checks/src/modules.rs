//! Which modules there are.

use crate::translate::{Parsed, Specialized};
use gridfold::{
    Arithmetic,
    shader::{Constants, Probe, ShaderKey, Sources},
};
use gridfold_ladder::modules::{self as ladder, FloatAtomics, Module};

/// The text of a module, its entry point, and the pipeline constants that it is used with.
#[derive(Clone, Debug)]
pub struct Shader {
    /// As in labels and errors.
    pub name: String,
    /// WGSL.
    pub text: String,
    /// The entry point's name.
    pub entry_point: &'static str,
    /// Every set of constants.
    pub constants: Vec<Constants>,
    /// Whether the library has wgpu add counters to the module's loops, which end them.
    pub loop_counters: bool,
    /// Whether its results are promised to the bit, so that its float operations need fences. The ladder's kernels add floats of
    /// which every sum is exact, in whatever order: fences would change nothing but how well they show what they are about.
    pub promises_bits: bool,
    /// Whether it is of `gridfold ladder`.
    pub is_of_ladder: bool,
}

/// Looks at every pipeline of these modules: at the constants, and the module with them filled in.
///
/// # Errors
///
/// The first that there is, with the pipeline's name.
pub fn pipelines(
    shaders: &[Shader],
    mut look: impl FnMut(&Shader, Constants, &Specialized<'_>) -> Result<(), String>,
) -> Result<(), String> {
    for shader in shaders {
        let about = |error: String| format!("{}: {error}", shader.name);
        let parsed = Parsed::new(&shader.text).map_err(about)?;
        for &constants in &shader.constants {
            parsed
                .specialize(shader.entry_point, constants, shader.loop_counters)
                .and_then(|module| look(shader, constants, &module))
                .map_err(|error| about(format!("{constants}: {error}")))?;
        }
    }
    Ok(())
}

/// Every module that the library may create, and those of `gridfold ladder`.
pub fn all() -> Vec<Shader> {
    let sources = Sources::default();
    let kernels = ShaderKey::all().map(|key| Shader {
        name: key.to_string(),
        text: sources.compose(key),
        entry_point: key.kernel.entry_point(),
        constants: Constants::all(key),
        loop_counters: key.exchanges(),
        promises_bits: key.arithmetic != Arithmetic::Unchecked,
        is_of_ladder: false,
    });
    let probes = Probe::ALL.into_iter().map(|probe| Shader {
        name: probe.entry_point().to_owned(),
        text: sources.probe(probe),
        entry_point: probe.entry_point(),
        constants: vec![Constants::None],
        loop_counters: false,
        promises_bits: true,
        is_of_ladder: false,
    });
    kernels.chain(of_the_ladder()).chain(probes).collect()
}

/// The ladder's, in both ways if they add floats atomically.
fn of_the_ladder() -> impl Iterator<Item = Shader> {
    let ways = |module: &'static Module| {
        let native = module.adds_floats().then_some((FloatAtomics::Native, ", adding floats"));
        [(FloatAtomics::Exchange, "")].into_iter().chain(native).map(move |way| (module, way))
    };
    ladder::ALL.iter().copied().flat_map(ways).flat_map(|(module, (float_atomics, suffix))| {
        let fold = module.has_fold().then_some(Module::FOLD);
        [Module::MAIN].into_iter().chain(fold).map(move |entry_point| Shader {
            name: format!("ladder {}, {entry_point}{suffix}", module.name),
            text: module.compose(float_atomics),
            entry_point,
            constants: vec![Constants::None],
            // The program has no unsafe code, so wgpu adds them to all of its loops.
            loop_counters: true,
            promises_bits: false,
            is_of_ladder: true,
        })
    })
}
