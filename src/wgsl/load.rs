//! Which shader files load elements.

use crate::wgsl::shader::ShaderKey;

impl ShaderKey {
    /// Those of what operators are given.
    pub(super) fn element_files(self) -> &'static [&'static str] {
        match self.maps_components() || self.kernel.is_selection() {
            true => self.element.component().shader_files(),
            false => self.element.shader_files(),
        }
    }

    pub(super) fn load_files(self) -> Vec<&'static str> {
        let packing = self.element.packing();
        if self.maps_components() {
            let own: &[_] = match self.kernel.reads_pairs() {
                true => &["memory/input_pairs.wgsl", "expression/pairs_components.wgsl"],
                false => {
                    &[self.input_file(), "memory/shifts.wgsl", "expression/load_components.wgsl"]
                }
            };
            return [&["element/pack_quad.wgsl"], own].concat();
        }
        let own = match (self.kernel.reads_vectors(), self.kernel.reads_pairs()) {
            (true, _) => vec![self.input_file(), "memory/shifts.wgsl", packing.load_file()],
            (_, true) => vec!["memory/input_pairs.wgsl", packing.pairs_file()],
            _ => return Vec::new(),
        };
        [packing.pack_files(), &own].concat()
    }

    pub(super) fn has_map(self) -> bool {
        self.program.is_some_and(|program| !program.is_operator())
    }

    /// Whether an expression makes a number of elements of several components: operators are given what these are.
    pub(super) fn maps_components(self) -> bool {
        self.has_map() && self.element.is_vector()
    }

    fn input_file(self) -> &'static str {
        match self.kernel {
            kernel if kernel.is_of_segments() && !kernel.makes_chunks() => {
                "memory/input_as_words.wgsl"
            }
            kernel if kernel.is_scan() => "memory/input_or_output.wgsl",
            _ => "memory/input.wgsl",
        }
    }
}
