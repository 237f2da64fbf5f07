//! The fences in MSL, HLSL and GLSL, as naga writes them: it counts the calls of a function that is word by word what
//! naga makes of `fence`, with an operation in the argument.
//!
//! The WGSL has as many operations, each in a fence of its own ([`fences`](super)). So where the numbers are the same,
//! none has lost its fence. That is less than what WGSL may have: a result with a name of its own, a fence that is no
//! function, and one of vectors are not counted.

/// What a language calls these things.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    to_bits: &'static str,
    zero: &'static str,
}

/// Metal's language.
pub const MSL: Language = Language { to_bits: "as_type<uint>", zero: "params.zero" };
/// DX12's language.
pub const HLSL: Language = Language { to_bits: "asuint", zero: "params.zero" };
/// OpenGL's language.
pub const GLSL: Language =
    Language { to_bits: "floatBitsToUint", zero: "_group_0_binding_0_cs.zero" };

const CALL: &str = "fence(";

/// How many float operations with a fence a text has.
///
/// # Errors
///
/// What is there instead of the fence.
pub fn operations(text: &str, language: Language) -> Result<usize, String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    // That of collectives, which has another name.
    let text = text.replace("gridfold_fence(", CALL);
    let Some((_, definition)) = text.split_once("uint fence(float x") else { return Ok(0) };
    let body = definition.split_once("{ ").and_then(|(_, body)| body.split_once(" }"));
    let body = body.ok_or("a fence without a body")?.0;
    if !is_fence(body, language) {
        return Err(format!("no fence: {body}"));
    }
    let calls = text.match_indices(CALL).filter(|&(at, _)| {
        let is_word = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let argument = argument(&text[at + CALL.len()..]);
        !is_word && [" + ", " - ", " * "].iter().any(|operator| argument.contains(operator))
    });
    Ok(calls.count())
}

fn is_fence(body: &str, Language { to_bits, zero }: Language) -> bool {
    let parts = body.strip_prefix("uint ").and_then(|body| body.split_once(" = "));
    parts.is_some_and(|(bits, rest)| {
        ["+", "^"].iter().any(|operator| {
            let fence = format!("{to_bits}(x) {operator} {bits}");
            [fence.clone(), format!("({fence})")]
                .iter()
                .any(|fence| rest == format!("{zero}; return {fence};"))
        })
    })
}

/// Up to the parenthesis that ends a call.
fn argument(text: &str) -> &str {
    let mut depth = 1;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    end.map_or(text, |end| &text[..end])
}
