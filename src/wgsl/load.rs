//! Which shader files load elements, and what they are bound to.

use crate::wgsl::{binding::Binding, shader::ShaderKey};

impl ShaderKey {
    /// The storage bindings that the module has, and whether each is read only: those of its kernel, and the third of three inputs. Of selections not all
    /// modules load vectors.
    pub fn storage_bindings(&self) -> impl Iterator<Item = (Binding, bool)> {
        let third = self.third_files().map(|_| (Binding::ThirdWords, true));
        let has_vectors = !self.kernel.is_selection() || self.selects_by_vectors();
        let bindings = self.kernel.storage_bindings().iter().copied().chain(third);
        bindings.filter(move |(binding, _)| *binding != Binding::Vectors || has_vectors)
    }

    /// Those that load a third input, if there is one. Kernels of pairs read it beside the two: the program tells.
    fn third_files(&self) -> Option<[&'static str; 2]> {
        let reads_three = self.kernel.reads_pairs() && self.spec().inputs == 3;
        reads_three.then(|| ["expression/third.wgsl", self.element.packing().third_file()])
    }

    /// Those of what operators are given.
    pub(super) fn element_files(&self) -> Vec<&'static str> {
        let element = match self.maps_components() || self.kernel.is_selection() {
            true => self.element.component(),
            false => self.element,
        };
        element.packing().element_files()
    }

    pub(super) fn load_files(&self) -> Vec<&'static str> {
        let mut files = self.load_files_of_two();
        files.extend(self.third_files().into_iter().flatten());
        files
    }

    /// Of one input, or of two.
    fn load_files_of_two(&self) -> Vec<&'static str> {
        let packing = self.element.packing();
        if self.maps_components() {
            let own: &[_] = match self.kernel.reads_pairs() {
                true => &["memory/input.wgsl@pairs", "expression/pairs_components.wgsl"],
                false => {
                    &[self.input_file(), "memory/shifts.wgsl", "expression/load.wgsl@components"]
                }
            };
            return [&["element/word.wgsl@pack_quad"], own].concat();
        }
        let own = match (self.kernel.reads_vectors(), self.kernel.reads_pairs()) {
            (true, _) => vec![self.input_file(), "memory/shifts.wgsl", packing.load_file()],
            (_, true) => vec!["memory/input.wgsl@pairs", packing.pairs_file()],
            _ => return Vec::new(),
        };
        [packing.pack_files(), &own].concat()
    }

    pub(super) fn has_map(&self) -> bool {
        self.program.as_ref().is_some_and(|program| !program.is_operator())
    }

    /// Whether an expression makes a number of elements of several components: operators are given what these are.
    pub(super) fn maps_components(&self) -> bool {
        self.has_map() && self.element.is_vector()
    }

    fn input_file(&self) -> &'static str {
        match self.kernel {
            kernel if kernel.is_of_segments() && !kernel.makes_chunks() => {
                "memory/input.wgsl@as_words"
            }
            kernel if kernel.is_scan() => "memory/input.wgsl@or_output",
            _ => "memory/input.wgsl@own",
        }
    }
}
