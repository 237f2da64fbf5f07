//! Float operations with and without a fence.

use super::{bad, good};

/// Three floats that no compiler knows.
const FLOATS: &str = "
    let a = bitcast<f32>(input[0]);
    let b = bitcast<f32>(input[1]);
    let c = bitcast<f32>(input[2]);
";

#[track_caller]
fn fenced(functions: &str, body: &str) {
    good(functions, &format!("{FLOATS}{body}"));
}

#[track_caller]
fn refused(problem: &str, functions: &str, body: &str) {
    bad(problem, functions, &format!("{FLOATS}{body}"));
}

const UNFENCED: &str = "somewhere else than through a fence";
const OTHER: &str = "devices differ in what this does with floats";
const IN_MEMORY: &str = "may be flushed";

#[test]
fn one_operation_at_a_time() {
    fenced("", "output[0] = fence(a + b);");
    fenced("", "output[0] = fence(bitcast<f32>(fence(a * b)) - c);");
    fenced("", "let sum = a + b; output[0] = fence(sum); output[1] = fence(sum);");
    fenced("", "output[0] = bitcast<u32>(a + b) + params.zero;");
    fenced("", "output[0] = bitcast<u32>(a + b) ^ params.zero;");
    fenced("", "output[0] = params.zero ^ bitcast<u32>(a - 1.5);");
    // The value goes nowhere.
    fenced("", "_ = a + b;");
    fenced(
        "",
        "let t = fence(a + c);
         let q = fence(bitcast<f32>(t) - c);
         output[0] = fence(a - bitcast<f32>(q));",
    );
    fenced(
        "",
        "var sum = 0u;
         for (var i = 0u; i < params.count; i++) {
             sum = fence(bitcast<f32>(sum) + bitcast<f32>(input[i]));
         }
         output[0] = sum;",
    );
}

#[test]
fn two_operations_at_a_time() {
    for two in ["a + b + c", "a * b + c", "c - a * b", "(a + b) * (b + c)", "-(a + b)"] {
        let problems = super::report("", &format!("{FLOATS} output[0] = fence({two});")).findings;
        assert!(problems.iter().any(|finding| finding.problem.contains(UNFENCED)), "{two}");
    }
    refused(UNFENCED, "", "output[0] = fence(a + b + c);");
    refused(UNFENCED, "", "output[0] = fence(a * b + c);");
    refused(UNFENCED, "", "output[0] = fence(select(a + b, c, params.count == 1u));");
    refused(UNFENCED, "", "output[0] = fence(bitcast<f32>(bitcast<u32>(a + b)) + c);");
}

#[test]
fn results_without_a_fence() {
    refused(UNFENCED, "", "output[0] = bitcast<u32>(a + b);");
    refused(UNFENCED, "", "output[0] = 1u + bitcast<u32>(a + b);");
    refused(
        UNFENCED,
        "",
        "let sum = a + b; output[0] = fence(sum); output[1] = bitcast<u32>(sum);",
    );
    refused(UNFENCED, "", "if bitcast<u32>(a + b) == 0u { output[0] = 1u; }");
    refused(
        UNFENCED,
        "",
        "switch bitcast<u32>(a + b) { case 0u: { output[0] = 1u; } default: {} }",
    );
    refused(UNFENCED, "", "output[bitcast<u32>(a + b)] = 1u;");
    refused(UNFENCED, "", "atomicAdd(&total, bitcast<u32>(a + b));");
    refused(UNFENCED, "", "output[0] = subgroupAdd(bitcast<u32>(a + b));");
    refused(UNFENCED, "", "output[0] = subgroupShuffle(inv, bitcast<u32>(a + b));");
    refused(
        UNFENCED,
        "fn f(bits: u32) -> u32 { return bits ^ params.zero; }",
        "
        output[0] = f(bitcast<u32>(a + b));",
    );
    refused(
        UNFENCED,
        "fn add(a: f32, b: f32) -> f32 { return a + b; }",
        "
        output[0] = fence(add(a, b));",
    );
    refused(
        UNFENCED,
        "fn bits_of(x: f32) -> u32 { return bitcast<u32>(x); }",
        "
        output[0] = bits_of(a + b);",
    );
}

/// An exclusive or is no fence of what is no longer the result.
#[test]
fn converted_results() {
    let report = super::report("", &format!("{FLOATS} output[0] = u32(a + b) ^ params.zero;"));
    let problems: Vec<&str> = report.findings.iter().map(|found| found.problem.as_str()).collect();
    assert!(problems.iter().any(|problem| problem.contains(UNFENCED)), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.contains(OTHER)), "{problems:?}");
}

#[test]
fn variables_and_memory() {
    for body in [
        "var x = 0.0; x = a; output[0] = bitcast<u32>(x);",
        "var x = 1.5; output[0] = fence(x + a);",
        "var x: array<f32, 2>; x[params.count & 1u] = a;",
        "var x: array<f32, 2>; x = array(a, b);",
        "var pair: Pair; pair = Pair(1u, a);",
        "shared_floats[0] = a;",
        "output[0] = bitcast<u32>(shared_floats[0]);",
        "output[0] = bitcast<u32>(workgroupUniformLoad(&shared_float));",
        "output[0] = bitcast<u32>(float_input[0]);",
        "let floats = float_input[0]; output[0] = fence(floats + a);",
        "output[0] = bitcast<u32>(subgroupAdd(a));",
        "output[0] = bitcast<u32>(subgroupShuffleXor(a, 1u));",
    ] {
        let declarations = "struct Pair { count: u32, x: f32 }
            var<workgroup> shared_floats: array<f32, 4>;
            var<workgroup> shared_float: f32;
            @group(0) @binding(4) var<storage, read> float_input: array<f32>;";
        refused(IN_MEMORY, declarations, body);
    }
    let wrong = super::report("", &format!("{FLOATS} var sum = a + b; output[0] = fence(sum);"));
    let problems: Vec<&str> = wrong.findings.iter().map(|found| found.problem.as_str()).collect();
    assert!(problems.iter().any(|problem| problem.contains(UNFENCED)), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.contains(IN_MEMORY)), "{problems:?}");
}

#[test]
fn fences_that_compilers_see_through() {
    for fence in [
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x); }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ 0u; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ NOTHING; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ CHOSEN; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ zero; }",
        "fn wall(x: f32) -> u32 { var none = 0u; return bitcast<u32>(x) ^ none; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ params.count; }",
        "var<private> own: Params; fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ own.zero; }",
        "@group(0) @binding(4) var<storage, read> given: Params;
         fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ given.zero; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) & ~params.zero; }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ (params.zero * 2u); }",
        "fn wall(x: f32) -> u32 {
             if params.count == 1u { return bitcast<u32>(x); }
             return bitcast<u32>(x) ^ params.zero;
         }",
        "fn wall(x: f32) -> u32 { return bitcast<u32>(select(x, 0.0, params.count == 1u)) ^ params.zero; }",
        "fn wall_with(x: f32, y: u32) -> u32 { return bitcast<u32>(x) ^ y; }
         fn wall(x: f32) -> u32 { return wall_with(x, params.zero); }",
    ] {
        let functions = format!(
            "const NOTHING = 0u; override CHOSEN: u32 = 0u; var<private> zero: u32; {fence}"
        );
        refused(UNFENCED, &functions, "output[0] = wall(a + b);");
        // What was not rounded here needs no fence.
        fenced(&functions, "output[0] = wall(a);");
    }
}

#[test]
fn fences_of_other_shapes() {
    fenced(
        "fn fence_if(x: f32, keep: bool) -> u32 {
             if keep { return bitcast<u32>(x) ^ params.zero; }
             return 0u;
         }",
        "output[0] = fence_if(a + b, params.count == 1u);",
    );
    let second = "fn second(x: f32, y: f32) -> u32 {
        return bitcast<u32>(x) | (bitcast<u32>(y) ^ params.zero);
    }";
    fenced(second, "output[0] = second(a, b + c);");
    refused(UNFENCED, second, "output[0] = second(a + b, c);");
    let vectors = "let v = bitcast<vec4<f32>>(vec4(input[0], input[1], input[2], input[3]));";
    let fence4 = "fn fence4(x: vec4<f32>) -> vec4<u32> {
        return bitcast<vec4<u32>>(x) ^ vec4(params.zero);
    }";
    good(fence4, &format!("{vectors} output[0] = fence4(v + vec4(1.5)).x;"));
    bad(UNFENCED, fence4, &format!("{vectors} output[0] = fence4(v + v * v).x;"));
    bad(UNFENCED, fence4, &format!("{vectors} output[0] = fence((v + v).x);"));
}

#[test]
fn operands_from_elsewhere() {
    let shaped = "fn one(flag: bool) -> f32 { return select(1.0, bitcast<f32>(input[3]), flag); }
        fn add(x: f32, y: f32) -> u32 { return fence(x + y); }";
    fenced(shaped, "output[0] = add(a, one(params.count == 1u));");
    fenced(
        "struct Pair { x: f32, y: f32 }",
        "let pair = Pair(a, b); output[0] = fence(pair.x + pair.y);",
    );
    fenced("", "output[0] = fence(vec2(a, b).x + vec3(c).y);");
}

#[test]
fn other_operations() {
    for operation in [
        "a / b",
        "a % b",
        "-a",
        "abs(a)",
        "min(a, b)",
        "fma(a, b, c)",
        "sqrt(a)",
        "dot(vec2(a, b), vec2(b, c))",
        "ldexp(a, 2i)",
        "f32(params.count)",
        "f32(i32(params.count))",
        "unpack4x8unorm(params.count).x",
        "select(a, b, a < b)",
        "select(a, b, a == 0.0)",
        "select(a, b, any(vec2(a, b) != vec2(b, c)))",
    ] {
        refused(OTHER, "", &format!("output[0] = bitcast<u32>({operation});"));
    }
    for operation in ["u32(a)", "u32(i32(a))", "u32(a < b)", "pack4x8unorm(vec4(a, b, b, a))"] {
        refused(OTHER, "", &format!("output[0] = {operation};"));
    }
    refused(OTHER, "", "output[0] = bitcast<u32>((mat2x2(a, b, b, a) * vec2(a, b)).x);");
}

/// Strategies that add with them promise no bits.
#[test]
fn atomics_on_floats() {
    let sum = "@group(0) @binding(4) var<storage, read_write> sum: atomic<f32>;";
    fenced(sum, "atomicAdd(&sum, a);");
    fenced(
        sum,
        "output[0] = bitcast<u32>(atomicAdd(&sum, a)); output[1] = bitcast<u32>(atomicLoad(&sum));",
    );
    fenced(sum, "atomicStore(&sum, a);");
    refused(UNFENCED, sum, "atomicAdd(&sum, a + b);");
    refused(UNFENCED, sum, "atomicAdd(&sum, bitcast<f32>(bitcast<u32>(a + b)));");
}
