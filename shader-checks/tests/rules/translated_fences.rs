//! Float operations with and without a fence, in what naga makes of them.

use gridfold::shader::Constants;
use shader_checks::{
    fences::{self, spirv, text},
    translate::{Parsed, Vulkan},
};

/// A shader's texts and words.
struct Translated {
    spirv: [Vec<u32>; 2],
    msl: String,
    hlsl: String,
    glsl: String,
}

/// A module with a fence, which knows the floats `a`, `b`, `c` in its entry point.
fn parsed(functions: &str, body: &str) -> Parsed {
    let fence = "fn fence(x: f32) -> u32 { return bitcast<u32>(x) ^ params.zero; }";
    parsed_with_fence(&format!("{fence}\n{functions}"), body)
}

/// The same with a fence of its own.
fn parsed_with_fence(functions: &str, body: &str) -> Parsed {
    let text = format!(
        "struct Params {{ zero: u32, count: u32 }}
        const FACTOR = 1.5f;
        @group(0) @binding(0) var<uniform> params: Params;
        @group(0) @binding(1) var<storage, read> input: array<u32>;
        @group(0) @binding(2) var<storage, read_write> output: array<u32>;
        var<private> nothing: u32;
        {functions}
        @compute @workgroup_size(1)
        fn main() {{
            let a = bitcast<f32>(input[0]);
            let b = bitcast<f32>(input[1]);
            let c = bitcast<f32>(input[2]);
            {body}
        }}"
    );
    Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn translated(parsed: &Parsed) -> Translated {
    let module = parsed.specialize("main", Constants::None, false).expect("it has no constants");
    Translated {
        spirv: Vulkan::ALL.map(|vulkan| module.spirv(vulkan).expect("SPIR-V")),
        msl: module.msl().expect("MSL"),
        hlsl: module.hlsl().expect("HLSL").0,
        glsl: module.glsl().expect("GLSL"),
    }
}

impl Translated {
    fn texts(&self) -> [&str; 3] {
        [&self.msl, &self.hlsl, &self.glsl]
    }

    fn operations(&self) -> [Result<usize, String>; 5] {
        [
            spirv::operations(&self.spirv[0]),
            spirv::operations(&self.spirv[1]),
            text::operations(&self.msl, text::MSL),
            text::operations(&self.hlsl, text::HLSL),
            text::operations(&self.glsl, text::GLSL),
        ]
    }
}

#[test]
fn every_operation_is_seen() {
    for (count, body) in [
        (0, "output[0] = bitcast<u32>(a);"),
        (0, "output[0] = params.count * 2u + input[0] - 1u;"),
        (1, "output[0] = fence(a + b);"),
        (1, "output[0] = fence(a - -2.5);"),
        (1, "output[0] = fence(FACTOR * a);"),
        (1, "output[0] = fence(1e-20 * a) + params.count;"),
        (1, "output[0] = 7u * (fence(a + b) + params.count * 2u) - 1u;"),
        (1, "output[0] = fence(bitcast<f32>(input[2] + 1u) * bitcast<f32>(output[3] * 7u));"),
        (1, "output[0] = fence(bitcast<f32>(input[2] + 1u) * 3.0);"),
        (1, "output[0] = fence(select(a, b, params.count == 1u) + c);"),
        (1, "output[0] = fence(select(a, b, params.count == 1u) * FACTOR);"),
        (1, "output[0] = fence(bitcast<f32>(input[2]) * select(a, b, params.count == 1u));"),
        (1, "output[0] = fence(low() + a);"),
        (2, "output[0] = fence(bitcast<f32>(fence(a * b)) + c);"),
        (2, "output[0] = fence(a + b) - fence(c - b);"),
        (
            1,
            "for (var i = 0u; i < params.count; i++) {
                 output[i] = fence(bitcast<f32>(output[i]) + a);
             }",
        ),
    ] {
        let parsed = parsed("fn low() -> f32 { return -1.5; }", body);
        assert_eq!(fences::operations(&parsed.module), count, "{body}");
        for found in translated(&parsed).operations() {
            assert_eq!(found, Ok(count), "{body}");
        }
    }
}

#[test]
fn operations_without_a_fence() {
    for body in [
        "output[0] = bitcast<u32>(a + b);",
        "output[0] = bitcast<u32>(a - b) ^ 0u;",
        "output[0] = bitcast<u32>(a * b) ^ params.count;",
        "output[0] = fence(a + b + c);",
        "output[0] = fence(a * b + c);",
        "output[0] = fence(a * b + FACTOR * c);",
        "output[0] = fence((a + b) * (b + c));",
        "output[0] = fence(a + b); output[1] = bitcast<u32>(b + c);",
        "var sum = a + b; output[0] = fence(sum);",
        "output[0] = wall(a + b);",
        "output[0] = wall_of_nothing(a + b);",
        "output[0] = wall_with_a_gap(a + b);",
    ] {
        let walls = "fn wall(x: f32) -> u32 { return bitcast<u32>(x) ^ 0u; }
            fn wall_of_nothing(x: f32) -> u32 { return bitcast<u32>(x) ^ nothing; }
            fn wall_with_a_gap(x: f32) -> u32 {
                if params.count == 1u { return bitcast<u32>(x); }
                return bitcast<u32>(x) ^ params.zero;
            }";
        let parsed = parsed(walls, body);
        let [spirv, other_spirv, texts @ ..] = translated(&parsed).operations();
        assert!(spirv.is_err() && other_spirv.is_err(), "{body}");
        for found in texts {
            assert_ne!(found, Ok(fences::operations(&parsed.module)), "{body}");
        }
    }
}

/// The library's own.
#[test]
fn fences_that_add() {
    for (operator, is_fence) in [("+", true), ("-", false), ("*", false), ("&", false)] {
        let fence =
            format!("fn fence(x: f32) -> u32 {{ return bitcast<u32>(x) {operator} params.zero; }}");
        let parsed = parsed_with_fence(&fence, "output[0] = fence(a + b);");
        for found in translated(&parsed).operations() {
            assert_eq!(found == Ok(1), is_fence, "{operator}: {found:?}");
        }
    }
}

/// What only the rule and SPIR-V can tell.
#[test]
fn fences_of_other_shapes() {
    for body in [
        "let sum = a + b; output[0] = fence(sum);",
        "output[0] = bitcast<u32>(a + b) ^ params.zero;",
        "output[0] = fence2(vec2(a, b) + vec2(c)).x;",
    ] {
        let fence2 = "fn fence2(x: vec2<f32>) -> vec2<u32> {
            return bitcast<vec2<u32>>(x) ^ vec2(params.zero);
        }";
        let [spirv, other_spirv, texts @ ..] = translated(&parsed(fence2, body)).operations();
        assert_eq!([spirv, other_spirv], [Ok(1), Ok(1)], "{body}");
        for found in texts {
            assert_ne!(found, Ok(1), "{body}");
        }
    }
}

/// Why the fence's zero is loaded from a uniform: a pipeline constant is known when the pipeline is made, and what drivers get has
/// a constant 0 in its place, which they see through.
#[test]
fn a_pipeline_constant_is_no_fence() {
    const ADDITION: &str = "output[0] = fence(a + b);";
    let loaded = translated(&parsed("", ADDITION));
    assert_eq!(loaded.operations(), [const { Ok(1) }; 5]);
    for words in &loaded.spirv {
        assert_eq!(xors_with_constants(words), 0);
    }
    let fence = "fn fence(x: f32) -> u32 { return bitcast<u32>(x) ^ pipeline_zero; }
        override pipeline_zero: u32 = 0u;";
    let folded = translated(&parsed_with_fence(fence, ADDITION));
    for words in &folded.spirv {
        assert_eq!(xors_with_constants(words), 1);
    }
    for (text, loaded) in folded.texts().into_iter().zip(loaded.texts()) {
        assert!(text.contains("const") && text.contains(" uint pipeline_zero = 0u;"), "{text}");
        assert!(text.contains(" ^ pipeline_zero") && !text.contains(".zero;"), "{text}");
        assert!(loaded.contains(".zero;"), "{loaded}");
    }
    for found in folded.operations() {
        assert!(found.is_err(), "{found:?}");
    }
}

/// How many exclusive ors in SPIR-V have a constant for an operand.
fn xors_with_constants(words: &[u32]) -> usize {
    const HEADER: usize = 5;
    const CONSTANT: u32 = 43;
    const BITWISE_XOR: u32 = 198;
    let mut constants = Vec::new();
    let mut count = 0;
    let mut rest = &words[HEADER..];
    while let Some(&first) = rest.first() {
        let (instruction, others) = rest.split_at(first as usize >> 16);
        match (first & 0xffff, instruction) {
            (CONSTANT, &[_, _, id, ..]) => constants.push(id),
            (BITWISE_XOR, &[_, _, _, left, right]) => {
                count += usize::from(constants.contains(&left) || constants.contains(&right));
            }
            _ => {}
        }
        rest = others;
    }
    count
}

/// What naga could do wrong.
#[test]
fn fences_lost_in_translation() {
    let mut lost = translated(&parsed("", "output[0] = fence(a + b);"));
    for text in [&mut lost.msl, &mut lost.hlsl, &mut lost.glsl] {
        assert_eq!(text.matches(" ^ ").count(), 1, "{text}");
        *text = text.replace(" ^ ", " & ");
    }
    for words in &mut lost.spirv {
        // Five words: an exclusive or, and an `and` of the same length.
        let place = words.iter().position(|&word| word == 5 << 16 | 198).expect("there is one");
        words[place] = 5 << 16 | 199;
    }
    for found in lost.operations() {
        assert!(found.is_err(), "{found:?}");
    }
}

#[test]
fn other_operations_in_spirv() {
    for body in [
        "output[0] = fence(a / b);",
        "output[0] = fence(-a);",
        "output[0] = fence(sqrt(a));",
        "output[0] = fence(fma(a, b, c));",
        "output[0] = fence(f32(input[0]));",
        "output[0] = fence((vec2(a, b) * c).x);",
    ] {
        for words in translated(&parsed("", body)).spirv {
            let found = spirv::operations(&words);
            assert!(found.is_err(), "{body}: {found:?}");
        }
    }
}
