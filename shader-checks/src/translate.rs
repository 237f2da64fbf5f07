//! Modules in the languages that wgpu hands to drivers, with the options that decide about code as wgpu
//! sets them. Bindings keep their numbers.

use crate::fences;
use gridfold::{
    ElementType, OperatorType,
    shader::{Constants, constants_of},
};
use naga::{
    Module, ShaderStage, back,
    proc::{BoundsCheckPolicies, BoundsCheckPolicy},
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};
use std::{collections::BTreeSet, fmt};

/// A parsed and valid module.
#[derive(Debug)]
pub struct Parsed {
    /// As naga has it.
    pub module: Module,
    /// The optional things that it uses.
    pub needs: Capabilities,
    info: ModuleInfo,
}

/// A module with its pipeline constants filled in.
#[derive(Debug)]
pub struct Specialized<'p> {
    module: std::borrow::Cow<'p, Module>,
    info: std::borrow::Cow<'p, ModuleInfo>,
    needs: Capabilities,
    entry_point: &'static str,
    loop_counters: bool,
}

/// A kind of device that wgpu writes SPIR-V for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vulkan {
    /// The version's name for SPIRV-Tools.
    pub environment: &'static str,
    /// The version of SPIR-V.
    pub spirv: (u8, u8),
    /// Whether the device has `robustBufferAccess2`, so that shaders need not check their places in
    /// buffers.
    pub checks_buffers: bool,
}

impl Vulkan {
    /// A version with each of the two ways to check places in buffers.
    pub const ALL: [Self; 2] = [
        Self { environment: "vulkan1.1", spirv: (1, 3), checks_buffers: false },
        Self { environment: "vulkan1.3", spirv: (1, 6), checks_buffers: true },
    ];
}

/// What a kernel may need of a device that not all have.
const OPTIONAL: [Capabilities; 5] = [
    Capabilities::SUBGROUP,
    Capabilities::FLOAT64,
    Capabilities::SHADER_INT64,
    Capabilities::SHADER_FLOAT32_ATOMIC,
    Capabilities::MEMORY_DECORATION_COHERENT,
];

/// What a module's pipeline constants are.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// The kernel's.
    pub constants: Constants,
    /// Which of the operators and element types that share the module is meant, if there is one.
    pub of: Option<(OperatorType, ElementType)>,
}

impl Values {
    /// The constants' names in the shader, and their values. A module may not declare all of them.
    pub fn values(self) -> Vec<(&'static str, f64)> {
        [self.constants.values(), self.own()].concat()
    }

    /// The constants of the operator and the element type.
    fn own(self) -> Vec<(&'static str, f64)> {
        self.of.map_or(Vec::new(), |(operator, element)| constants_of(operator, element))
    }
}

impl From<Constants> for Values {
    fn from(constants: Constants) -> Self {
        Self { constants, of: None }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.constants.fmt(f)?;
        match self.of {
            Some((operator, element)) if !self.own().is_empty() => {
                write!(f, ", as {operator} {element}")
            }
            _ => Ok(()),
        }
    }
}

impl Parsed {
    /// Parses and validates WGSL.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn new(text: &str) -> Result<Self, String> {
        let module =
            naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
        let validate = |capabilities| {
            Validator::new(ValidationFlags::all(), capabilities)
                .validate(&module)
                .map_err(|error| error.emit_to_string(text))
        };
        // Nothing that it can do without. Most need none of these, or subgroups.
        for needs in [Capabilities::empty(), Capabilities::SUBGROUP] {
            if let Ok(info) = validate(needs) {
                return Ok(Self { module, needs, info });
            }
        }
        let all = OPTIONAL.into_iter().collect();
        validate(all)?;
        let needs = OPTIONAL.into_iter().filter(|&one| validate(all - one).is_err()).collect();
        let info = validate(needs)?;
        Ok(Self { module, needs, info })
    }

    /// Whether it uses subgroups.
    pub fn needs_subgroups(&self) -> bool {
        self.needs.contains(Capabilities::SUBGROUP)
    }

    /// Whether browsers can select it: they have no `atomic<f32>` and no f64, as some native devices do.
    pub fn is_for_browsers(&self) -> bool {
        !self.needs.intersects(Capabilities::SHADER_FLOAT32_ATOMIC | Capabilities::FLOAT64)
    }

    /// Whether FXC may be asked to compile it, for DX12 below shader model 6.0: of all that is optional it has coherent memory alone.
    pub fn is_for_fxc(&self) -> bool {
        Capabilities::MEMORY_DECORATION_COHERENT.contains(self.needs)
    }

    /// The kernel's constants, and the constants of the operator and the element type that the module declares: compilers refuse others.
    pub fn values(&self, values: Values) -> Vec<(&'static str, f64)> {
        let is_declared = |(name, _): &(&str, f64)| {
            let mut declared = self.module.overrides.iter();
            declared.any(|(_, it)| it.name.as_deref() == Some(name))
        };
        let mut all = values.constants.values();
        all.extend(values.own().into_iter().filter(is_declared));
        all
    }

    /// Fills in the pipeline constants. wgpu may add counters to loops, which end them.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn specialize(
        &self,
        entry_point: &'static str,
        constants: impl Into<Values>,
        loop_counters: bool,
    ) -> Result<Specialized<'_>, String> {
        let constants = self.values(constants.into());
        let constants =
            constants.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let stage = Some((ShaderStage::Compute, entry_point));
        let (module, info) = back::pipeline_constants::process_overrides(
            &self.module,
            &self.info,
            stage,
            &constants,
        )
        .map_err(|error| error.to_string())?;
        Ok(Specialized { module, info, needs: self.needs, entry_point, loop_counters })
    }
}

impl Specialized<'_> {
    /// How many float additions, subtractions and multiplications it has. What nothing calls with these constants is left out.
    pub fn float_operations(&self) -> usize {
        fences::operations(&self.module)
    }

    /// Whether it uses subgroups.
    pub fn needs_subgroups(&self) -> bool {
        self.needs.contains(Capabilities::SUBGROUP)
    }

    /// Whether Metal devices can select it. Coherent memory is no use there without fences, which naga does not write.
    pub fn is_for_metal(&self) -> bool {
        !self.needs.contains(Capabilities::MEMORY_DECORATION_COHERENT)
            && back::msl::supported_capabilities().contains(self.needs)
    }

    /// Whether DX12 devices can select it. naga has f64 in its language, and wgpu (30) no such feature there.
    pub fn is_for_dx12(&self) -> bool {
        !self.needs.contains(Capabilities::FLOAT64)
            && back::hlsl::supported_capabilities().contains(self.needs)
    }

    /// Whether OpenGL devices can select it: wgpu has nothing optional there.
    pub fn is_for_opengl(&self) -> bool {
        self.needs.is_empty()
    }

    /// SPIR-V for a kind of device.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn spirv(&self, vulkan: Vulkan) -> Result<Vec<u32>, String> {
        let options = back::spv::Options {
            lang_version: vulkan.spirv,
            // Without names for debuggers, which a build of naga for tests would add.
            flags: back::spv::WriterFlags::LABEL_VARYINGS,
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer: if vulkan.checks_buffers {
                    BoundsCheckPolicy::Unchecked
                } else {
                    BoundsCheckPolicy::Restrict
                },
                ..Default::default()
            },
            zero_initialize_workgroup_memory: back::spv::ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: self.loop_counters,
            ..Default::default()
        };
        let pipeline = back::spv::PipelineOptions {
            shader_stage: ShaderStage::Compute,
            entry_point: self.entry_point.to_owned(),
        };
        back::spv::write_vec(&self.module, &self.info, &options, Some(&pipeline))
            .map_err(|error| error.to_string())
    }

    /// Metal's language.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn msl(&self) -> Result<String, String> {
        let lang_version = if self.needs.contains(Capabilities::SHADER_FLOAT32_ATOMIC) {
            (3, 0)
        } else if self.needs_subgroups() {
            (2, 4)
        } else {
            (2, 0)
        };
        let options = back::msl::Options {
            lang_version,
            fake_missing_bindings: true,
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                buffer: BoundsCheckPolicy::Restrict,
                ..Default::default()
            },
            zero_initialize_workgroup_memory: false,
            force_loop_bounding: self.loop_counters,
            ..Default::default()
        };
        let pipeline = back::msl::PipelineOptions::default();
        let (text, translation) =
            back::msl::write_string(&self.module, &self.info, &options, &pipeline)
                .map_err(|error| error.to_string())?;
        translation
            .entry_point_names
            .into_iter()
            .try_for_each(|name| name.map(drop).map_err(|error| error.to_string()))?;
        Ok(text)
    }

    /// DX12's language, and the entry point's name in it.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn hlsl(&self) -> Result<(String, String), String> {
        let options = back::hlsl::Options {
            shader_model: if self.needs_subgroups() {
                back::hlsl::ShaderModel::V6_0
            } else {
                back::hlsl::ShaderModel::V5_1
            },
            fake_missing_bindings: true,
            zero_initialize_workgroup_memory: false,
            restrict_indexing: true,
            force_loop_bounding: self.loop_counters,
            ..Default::default()
        };
        let pipeline = back::hlsl::PipelineOptions {
            entry_point: Some((ShaderStage::Compute, self.entry_point.to_owned())),
        };
        let mut text = String::new();
        let mut reflection = back::hlsl::Writer::new(&mut text, &options, &pipeline)
            .write(&self.module, &self.info, None)
            .map_err(|error| error.to_string())?;
        let entry_point = reflection.entry_point_names.pop().ok_or("no entry point in HLSL")?;
        // naga writes one for each name that a type has, all under one name: `Elem()`, and a `var number: u32;` in a loop.
        let mut zeros = BTreeSet::new();
        let lines = text.lines().filter(|line| line.contains(" ZeroValue") && line.ends_with('{'));
        if let Some(twice) = lines.into_iter().find(|line| !zeros.insert(*line)) {
            return Err(format!("HLSL has twice: {twice}"));
        }
        Ok((text, entry_point.map_err(|error| error.to_string())?))
    }

    /// OpenGL's language.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn glsl(&self) -> Result<String, String> {
        let options = back::glsl::Options {
            version: back::glsl::Version::new_gles(310),
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        };
        let pipeline = back::glsl::PipelineOptions {
            shader_stage: ShaderStage::Compute,
            entry_point: self.entry_point.to_owned(),
            multiview: None,
        };
        let mut text = String::new();
        let policies = BoundsCheckPolicies::default();
        back::glsl::Writer::new(&mut text, &self.module, &self.info, &options, &pipeline, policies)
            .and_then(|mut writer| writer.write())
            .map_err(|error| error.to_string())?;
        Ok(text)
    }
}

/// What naga makes of a pipeline, in the languages that other compilers are asked in.
pub struct Translated {
    /// As [`Vulkan::ALL`].
    pub spirv: [Vec<u32>; 2],
    /// If Metal devices can select it.
    pub msl: Option<String>,
    /// With the entry point's name, if DX12 devices can select it.
    pub hlsl: Option<(String, String)>,
}

impl Translated {
    /// Translates it.
    ///
    /// # Errors
    ///
    /// What naga says.
    pub fn of(module: &Specialized<'_>) -> Result<Self, String> {
        let [older, newer] = Vulkan::ALL;
        Ok(Self {
            spirv: [module.spirv(older)?, module.spirv(newer)?],
            msl: module.is_for_metal().then(|| module.msl()).transpose()?,
            hlsl: module.is_for_dx12().then(|| module.hlsl()).transpose()?,
        })
    }
}
