//! The rules accept small shaders that keep them, and refuse those that do not.

mod copies;
mod early_returns;
mod fences;
mod float_literals;
mod loops;
mod translated_fences;
mod uniformity;

use shader_checks::{Report, check, translate::Parsed};

/// What every shader here has.
const DECLARATIONS: &str = "
    struct Params { zero: u32, count: u32, step: u32 }
    const LANES = 256u;
    const WARP = 32u;
    override TUNED: u32 = 4u;
    @group(0) @binding(0) var<uniform> params: Params;
    @group(0) @binding(1) var<storage, read> input: array<u32>;
    @group(0) @binding(2) var<storage, read_write> output: array<u32>;
    @group(0) @binding(3) var<storage, read_write> total: atomic<u32>;
    fn fence(x: f32) -> u32 { return bitcast<u32>(x) ^ params.zero; }
    var<workgroup> shared_words: array<u32, 256>;
    var<workgroup> shared_word: u32;
    struct Lane { @builtin(local_invocation_index) index: u32 }
    struct Whole {
        @builtin(workgroup_id) workgroup_id: vec3<u32>,
        @builtin(num_workgroups) num_workgroups: vec3<u32>,
    }
";

/// A shader made of functions and of the entry point's statements, which know `whole`, `lane`, `size`, `id`,
/// `inv` and `num`.
fn text(functions: &str, body: &str) -> String {
    format!(
        "{DECLARATIONS}{functions}
        @compute @workgroup_size(256)
        fn main(
            whole: Whole,
            lane: Lane,
            @builtin(subgroup_size) size: u32,
            @builtin(subgroup_id) id: u32,
            @builtin(subgroup_invocation_id) inv: u32,
            @builtin(num_subgroups) num: u32,
        ) {{
            _ = params.count;
            {body}
        }}"
    )
}

/// Checks such a shader.
fn report(functions: &str, body: &str) -> Report {
    let text = text(functions, body);
    let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"));
    check(&parsed.module, &text)
}

/// Panics unless a shader keeps every rule.
#[track_caller]
fn good(functions: &str, body: &str) {
    let report = report(functions, body);
    assert!(report.findings.is_empty(), "{functions} {body}: {}", report.findings[0]);
    assert!(report.compare_exchange_loops.is_empty(), "{functions} {body}");
}

/// Panics unless all that is wrong with a shader is `problem`.
#[track_caller]
fn bad(problem: &str, functions: &str, body: &str) {
    let findings = report(functions, body).findings;
    assert!(!findings.is_empty(), "accepted: {functions} {body}");
    for finding in findings {
        assert!(finding.problem.contains(problem), "{functions} {body}: {finding}");
    }
}
