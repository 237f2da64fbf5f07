//! Every permutation of the shaders: it parses, validates, and translates to every language whose devices
//! can select it.

use gridfold::{
    Mechanism,
    shader::{self, Constants, Kernel, ShaderKey, Sources},
    tree,
};
use naga::{
    ShaderStage, back,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

fn uses_subgroups(text: &str) -> bool {
    text.contains("@builtin(subgroup_size)")
}

fn adds_floats(text: &str) -> bool {
    text.contains("alias AtomicWord = f32;")
}

/// A module with its pipeline constants filled in.
fn compile(text: &str, entry_point: &str, constants: Constants) -> (naga::Module, ModuleInfo) {
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    // Subgroups and atomic additions of floats are the optional things that a kernel may use.
    let mut capabilities = Capabilities::empty();
    capabilities.set(Capabilities::SUBGROUP, uses_subgroups(text));
    capabilities.set(Capabilities::SHADER_FLOAT32_ATOMIC, adds_floats(text));
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
    let constants =
        constants.values().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let stage = Some((ShaderStage::Compute, entry_point));
    let (module, info) =
        back::pipeline_constants::process_overrides(&module, &info, stage, &constants)
            .expect("the constants fit");
    (module.into_owned(), info.into_owned())
}

fn spirv(module: &naga::Module, info: &ModuleInfo, entry_point: &str) {
    let options = back::spv::Options { lang_version: (1, 3), ..Default::default() };
    let pipeline = back::spv::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry_point.to_owned(),
    };
    let words = back::spv::write_vec(module, info, &options, Some(&pipeline)).expect("SPIR-V");
    assert!(words.len() > 100);
}

fn msl(module: &naga::Module, info: &ModuleInfo, subgroups: bool, lang_version: (u8, u8)) {
    let options = back::msl::Options {
        lang_version,
        fake_missing_bindings: true,
        zero_initialize_workgroup_memory: false,
        ..Default::default()
    };
    let pipeline = back::msl::PipelineOptions::default();
    let (text, translation) =
        back::msl::write_string(module, info, &options, &pipeline).expect("MSL");
    assert!(text.contains("kernel void"));
    assert!(translation.entry_point_names.iter().all(Result::is_ok));
    assert_eq!(text.contains("simd_"), subgroups, "{text}");
}

fn hlsl(module: &naga::Module, info: &ModuleInfo, subgroups: bool) {
    let options = back::hlsl::Options {
        shader_model: if subgroups {
            back::hlsl::ShaderModel::V6_0
        } else {
            back::hlsl::ShaderModel::V5_1
        },
        fake_missing_bindings: true,
        zero_initialize_workgroup_memory: false,
        ..Default::default()
    };
    let pipeline = back::hlsl::PipelineOptions::default();
    let mut text = String::new();
    let reflection = back::hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(module, info, None)
        .expect("HLSL");
    assert!(reflection.entry_point_names.iter().all(Result::is_ok));
    assert_eq!(text.contains("Wave"), subgroups, "{text}");
}

fn glsl(module: &naga::Module, info: &ModuleInfo, entry_point: &str) {
    let options =
        back::glsl::Options { version: back::glsl::Version::new_gles(310), ..Default::default() };
    let pipeline = back::glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry_point.to_owned(),
        multiview: None,
    };
    let mut text = String::new();
    let policies = naga::proc::BoundsCheckPolicies::default();
    back::glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
        .expect("a writer")
        .write()
        .expect("GLSL");
    assert!(text.contains("local_size_x = "), "{text}");
}

/// Subgroups exist on Vulkan, Metal and DX12, atomic additions of floats on Vulkan and Metal; the other
/// permutations must run on OpenGL too.
fn translate(text: &str, entry_point: &str, constants: Constants) {
    let subgroups = uses_subgroups(text);
    let (module, info) = compile(text, entry_point, constants);
    spirv(&module, &info, entry_point);
    if adds_floats(text) {
        msl(&module, &info, subgroups, (3, 0));
        return;
    }
    msl(&module, &info, subgroups, if subgroups { (2, 4) } else { (2, 0) });
    hlsl(&module, &info, subgroups);
    if !subgroups {
        glsl(&module, &info, entry_point);
    }
}

#[test]
fn every_permutation_translates() {
    let sources = Sources::default();
    let mut count = 0;
    for key in ShaderKey::all() {
        let text = sources.compose(key);
        assert_eq!(
            text.contains("@builtin(subgroup"),
            key.mechanism == Mechanism::Subgroup,
            "{key}"
        );
        let entry_point = key.kernel.entry_point();
        for constants in Constants::all(key.kernel) {
            translate(&text, entry_point, constants);
            count += 1;
        }
    }
    // For each operator and type 7 modules of a first pass, with 16 sets of constants each, and 3 of a
    // second; 3 more that add floats.
    let pairs = ShaderKey::all().filter(|key| key.kernel == Kernel::Finish).count();
    assert!(pairs >= 18);
    assert_eq!(count, pairs * (7 * 16 + 3) + 3 * 16);
}

#[test]
fn the_probe_translates() {
    translate(&Sources::default().probe_lanes(), "probe_lanes", Constants::None);
}

#[test]
fn every_file_is_used() {
    let used: std::collections::BTreeSet<&str> =
        ShaderKey::all().flat_map(ShaderKey::files).chain(shader::PROBE_FILES).collect();
    let listed: std::collections::BTreeSet<&str> = Sources::file_names().collect();
    assert_eq!(used, listed);
    let mut on_disk = std::collections::BTreeSet::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    for folder in ["", "element", "operator"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(&root).expect("below the root");
                on_disk.insert(name.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    assert!(on_disk.iter().map(String::as_str).eq(listed), "{on_disk:?}");
}

#[test]
fn kernels_bind_at_most_four_storage_buffers() {
    for key in ShaderKey::all() {
        let text = Sources::default().compose(key);
        let declared = text.matches("var<storage").count();
        assert_eq!(declared, key.kernel.storage_bindings().len(), "{key}");
        assert!(declared <= 4, "{key}");
        assert_eq!(text.matches("var<uniform>").count(), 1, "{key}");
    }
}

/// What the host keeps in step with the shaders by hand.
#[test]
fn host_and_shaders_agree() {
    for key in ShaderKey::all() {
        let text = Sources::default().compose(key);
        let module = naga::front::wgsl::parse_str(&text).expect("parses");
        let constant = |name: &str| {
            let found = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name));
            let (_, constant) = found.unwrap_or_else(|| panic!("{key} has no {name}"));
            match module.global_expressions[constant.init] {
                naga::Expression::Literal(naga::Literal::U32(value)) => value,
                ref other => panic!("{name} is {other:?}"),
            }
        };
        assert_eq!(constant("ACC_WORDS"), key.acc_words(), "{key}");
        assert_eq!(constant("LANES"), tree::LANES);
        assert_eq!(u64::from(constant("ROW_ITEMS")), tree::ROW_ITEMS);
        assert_eq!(u64::from(constant("ROW_GROUP_ITEMS")), tree::MIN_ROWS * tree::ROW_ITEMS);
        let params = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params"));
        let naga::TypeInner::Struct { span, .. } = params.expect("there is one").1.inner else {
            panic!("Params is no struct");
        };
        assert_eq!(span as usize, shader::PARAMS_BYTES);
    }
}

#[test]
fn naga_rejects_what_it_should() {
    // The checks above can fail: a seam that is missing, or misspelt, does not validate.
    let key = ShaderKey::all().next().expect("there are some");
    let text = Sources::default()
        .replace("lane.wgsl", "fn lane_reduce", "fn lane_reduc")
        .expect("it is there")
        .compose(key);
    assert!(naga::front::wgsl::parse_str(&text).is_err());
}
