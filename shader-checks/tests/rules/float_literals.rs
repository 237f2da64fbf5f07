//! Floats that compilers may spoil.

use super::{bad, good};

#[test]
fn moderate_floats() {
    for value in
        ["0.0", "-0.0", "1.5e20", "1e-30", "-3.25", "f32(0xffffffffu)", "0x1p100f", "0x1p-100f"]
    {
        good("", &format!("output[0] = fence({value} * bitcast<f32>(params.count));"));
    }
    good("", "output[0] = fence(bitcast<f32>(0x3f800000u) * bitcast<f32>(params.count));");
    good("", "output[0] = bitcast<u32>(bitcast<vec2<f32>>(vec2(0x3f800000u, 0u)).x);");
    // Bits are no floats until they are taken for some.
    good("const INFINITY_BITS = 0x7f800000u;", "output[0] = params.count & INFINITY_BITS;");
    good("", "output[0] = fence(bitcast<f32>(params.count) * 2.0);");
}

#[test]
fn extremes() {
    let wrong = "a float constant is not 0";
    for value in [
        "3.402823466e38",
        "-3.402823466e38f",
        "1.17549435e-38",
        "0x1p-149f",
        "0x1p101f",
        "0x1p-101f",
        "bitcast<f32>(0x7f7fffffu)",
        "bitcast<f32>(1u)",
        "vec2(1.0, 1e38).y",
        "(1e30 * 1e8)",
        "bitcast<f32>(LARGE_BITS)",
        "bitcast<f32>(INFINITY_BITS)",
        "bitcast<f32>(0x7fc00000u)",
        "bitcast<f32>(-1i)",
        "bitcast<vec2<f32>>(vec2(0x7f800000u)).x",
        "bitcast<vec2<f32>>(vec2(0x3f800000u, 0x7fc00000u)).x",
        "bitcast<vec2<f32>>(vec2(params.count, 0x7fc00000u)).x",
        "bitcast<vec4<f32>>(vec4(vec2(INFINITY_BITS), vec2(0u))).x",
    ] {
        bad(
            wrong,
            "const LARGE_BITS = 0x7f000000u; const INFINITY_BITS = 0x7f800000u;",
            &format!("output[0] = fence({value} * bitcast<f32>(params.count));"),
        );
    }
    bad(wrong, "const LARGE = 1e38f;", "output[0] = fence(LARGE * bitcast<f32>(params.count));");
    bad(wrong, "override LARGE: f32 = 3.402823466e38;", "output[0] = bitcast<u32>(LARGE);");
    bad(wrong, "fn f() -> f32 { return 1e38; }", "output[0] = bitcast<u32>(f());");
}
