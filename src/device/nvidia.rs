//! What is known of NVIDIA's GPUs by their names.

/// Those that add half as many f64s as f32s at a time: words of their names. An H100 was measured. Others add 1/32 or 1/64.
const FAST_DOUBLES: [&str; 12] = [
    "P100", "V100", "GV100", "A30", "A100", "A800", "H100", "H200", "H800", "GH200", "B200",
    "GB200",
];

/// Whether a GPU of this name adds f64s at no small part of the rate of f32s.
pub(super) fn has_fast_doubles(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| FAST_DOUBLES.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::has_fast_doubles;

    /// H20s and RTX A3000s have few adders of f64s.
    #[test]
    fn names_are_whole_words() {
        for name in ["NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB", "Tesla V100-SXM2-16GB"] {
            assert!(has_fast_doubles(name), "{name}");
        }
        for name in ["NVIDIA H20", "NVIDIA GeForce RTX 4090", "NVIDIA RTX A3000", ""] {
            assert!(!has_fast_doubles(name), "{name}");
        }
    }
}
