//! Which pipelines compilers are asked about, so that they see every seam, where nobody can ask about every product of parts.
//!
//! A seam is a definition that uses another one, or a definition with the values of all pipeline constants that it reads. Each language has its own.
//! A definition is a declaration's tokens: the same name in another file or branch is another definition.

use crate::{
    modules::Shader,
    tokens::{Declaration, declarations},
    translate::Values,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

/// The committed table of what is covered, below the crate's root.
pub const FILE: &str = "seams.txt";

/// What a module's tokens say of the devices that can select it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Languages {
    /// For browsers: Tint.
    pub browsers: bool,
    /// HLSL.
    pub dx12: bool,
    /// MSL.
    pub metal: bool,
    /// GLSL.
    pub opengl: bool,
}

impl Languages {
    /// Languages of a module. `Specialized` finds the same by what naga says that the module needs.
    pub fn of<'t>(tokens: impl Iterator<Item = &'t str> + Clone) -> Self {
        let has = |of: &dyn Fn(&str) -> bool| tokens.clone().any(of);
        let double = has(&|token| token == "f64");
        let long = has(&|token| matches!(token, "i64" | "u64"));
        let coherent = has(&|token| token == "coherent");
        let subgroups = has(&|token| token.starts_with("subgroup") || token == "num_subgroups");
        let behind = |places| tokens.clone().skip(places);
        let threes = || tokens.clone().zip(behind(1)).zip(behind(2));
        let aliases = threes().filter(|((_, equal), ty)| (*equal, *ty) == ("=", "f32"));
        let floats: Vec<&str> = aliases.map(|((name, _), _)| name).chain(["f32"]).collect();
        let float_atomics = threes()
            .any(|((ty, begin), of)| (ty, begin) == ("atomic", "<") && floats.contains(&of));
        Self {
            browsers: !double && !float_atomics,
            dx12: !double && !float_atomics,
            metal: !double && !coherent,
            opengl: !(double || long || coherent || subgroups || float_atomics),
        }
    }

    /// Numbers of the languages, with loop counters and without. SPIR-V is for every module.
    fn numbers(self, loop_counters: bool) -> impl Iterator<Item = u8> {
        let own = [self.browsers, self.dx12, self.metal, self.opengl, true];
        let first = if loop_counters { 5 } else { 0 };
        own.into_iter().zip(first..).filter_map(|(is_one, number)| is_one.then_some(number))
    }
}

/// What compilers see of a pipeline. Definitions are hashes of their tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seam {
    /// A definition, and one that it uses.
    Pair(u64, u64),
    /// A definition, and the values of all constants that it reads.
    Values(u64, u64),
}

/// A seam in a language.
type Spoken = (Seam, u8);

/// Pipelines that have every seam of all.
#[derive(Debug)]
pub struct Cover {
    /// Modules, with some of their constants.
    pub shaders: Vec<Shader>,
    /// How many pairs of definitions there are of which one uses the other.
    pub pairs: usize,
    /// How many definitions with values of constants there are.
    pub values: usize,
}

/// A module's seams: in all of its pipelines, and in each.
struct Module {
    pairs: Vec<Spoken>,
    values: Vec<Vec<Spoken>>,
}

impl Module {
    fn of(shader: &Shader) -> Self {
        let declarations = declarations(&shader.text);
        let languages = Languages::of(declarations.iter().flat_map(|it| it.tokens.iter().copied()));
        let spoken = |seam: Seam| {
            languages.numbers(shader.loop_counters).map(move |language| (seam, language))
        };
        let uses = uses(&declarations, shader.entry_point);
        let hashes: Vec<u64> = declarations.iter().map(|it| hash(&it.tokens)).collect();
        let used = uses.iter().flat_map(|(&user, used)| used.iter().map(move |&it| (user, it)));
        let pairs = used.map(|(user, used)| Seam::Pair(hashes[user], hashes[used]));
        let pairs = pairs.flat_map(spoken).collect();
        // Each with the constants that it reads.
        let overrides = |used: &[usize]| -> Vec<&str> {
            let used = used.iter().map(|&used| &declarations[used]);
            used.filter(|it| it.is_override).filter_map(|it| it.name).collect()
        };
        let readers = uses.iter().map(|(&user, used)| (hashes[user], overrides(used)));
        let readers: Vec<_> = readers.filter(|(_, read)| !read.is_empty()).collect();
        let values_of = |constants: &Values| {
            let values: BTreeMap<_, _> = constants.values().into_iter().collect();
            let value = |&name: &&str| (name.to_owned(), values.get(name).map(|it| it.to_bits()));
            let seam = |(reader, read): &(u64, Vec<&str>)| {
                Seam::Values(*reader, hash(&read.iter().map(value).collect::<Vec<_>>()))
            };
            readers.iter().map(seam).flat_map(spoken).collect()
        };
        Self { pairs, values: shader.constants.iter().map(values_of).collect() }
    }
}

fn hash(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

/// The declarations that an entry point reaches, each with the ones that it names. A local name that is also a global one counts as a use.
fn uses(declarations: &[Declaration<'_>], entry_point: &str) -> BTreeMap<usize, Vec<usize>> {
    let numbered = declarations.iter().enumerate();
    let names: HashMap<&str, usize> =
        numbered.filter_map(|(at, it)| Some((it.name?, at))).collect();
    let mut uses = BTreeMap::new();
    let mut waiting = Vec::from_iter(names.get(entry_point).copied());
    while let Some(at) = waiting.pop() {
        if uses.contains_key(&at) {
            continue;
        }
        let tokens = &declarations[at].tokens;
        let is_member = |place: usize| place > 0 && tokens[place - 1] == ".";
        let used: BTreeSet<usize> = (0..tokens.len())
            .filter(|&place| !is_member(place))
            .filter_map(|place| names.get(tokens[place]).copied())
            .filter(|&used| used != at)
            .collect();
        waiting.extend(&used);
        uses.insert(at, used.into_iter().collect());
    }
    uses
}

/// Every seam of some modules.
pub fn seams(shaders: &[Shader]) -> HashSet<Spoken> {
    let modules = shaders.iter().map(Module::of);
    modules.flat_map(|it| it.values.into_iter().flatten().chain(it.pairs)).collect()
}

/// Chooses greedily: next the pipeline with most seams that no chosen one has, and of several the first one.
pub fn cover(shaders: &[Shader]) -> Cover {
    // Numbers are quicker to look up.
    let mut numbers: HashMap<Spoken, usize> = HashMap::new();
    let mut numbered = |seams: Vec<Spoken>| -> Vec<usize> {
        let mut number = |seam| {
            let next = numbers.len();
            *numbers.entry(seam).or_insert(next)
        };
        seams.into_iter().map(&mut number).collect()
    };
    let mut modules = Vec::new();
    let mut pipelines = BinaryHeap::new();
    for (module, shader) in shaders.iter().enumerate() {
        let Module { pairs, values } = Module::of(shader);
        let pairs = numbered(pairs);
        let values: Vec<Vec<usize>> = values.into_iter().map(&mut numbered).collect();
        let of_pipeline = |(place, own): (usize, &Vec<usize>)| {
            (pairs.len() + own.len(), Reverse((module, place)))
        };
        pipelines.extend(values.iter().enumerate().map(of_pipeline));
        modules.push((pairs, values));
    }
    let mut is_covered = vec![false; numbers.len()];
    let mut chosen = BTreeSet::new();
    while let Some((most, Reverse((module, place)))) = pipelines.pop() {
        let (pairs, values) = &modules[module];
        let own = pairs.iter().chain(&values[place]);
        let left = own.clone().filter(|&&seam| !is_covered[seam]).count();
        if left == most {
            own.for_each(|&seam| is_covered[seam] = true);
            chosen.insert((module, place));
        } else if left > 0 {
            // Others may have more by now.
            pipelines.push((left, Reverse((module, place))));
        }
    }
    let mut some: BTreeMap<usize, Vec<Values>> = BTreeMap::new();
    for (number, place) in chosen {
        some.entry(number).or_default().push(shaders[number].constants[place]);
    }
    let shader = |(number, constants): (usize, _)| Shader { constants, ..shaders[number].clone() };
    let distinct: HashSet<Seam> = numbers.keys().map(|&(seam, _)| seam).collect();
    let pairs = distinct.iter().filter(|seam| matches!(seam, Seam::Pair(..))).count();
    Cover { shaders: some.into_iter().map(shader).collect(), pairs, values: distinct.len() - pairs }
}

impl Cover {
    /// A table of the modules that there are and of the pipelines that are chosen, by kernel.
    pub fn table(&self, all: &[Shader]) -> String {
        let mut rows: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (shaders, is_chosen) in [(all, false), (&self.shaders[..], true)] {
            for shader in shaders {
                let row =
                    rows.entry(shader.name.split(',').next().unwrap_or_default()).or_default();
                if is_chosen {
                    row[2] += shader.constants.len();
                } else {
                    row[0] += 1;
                    row[1] += shader.constants.len();
                }
            }
        }
        let mut all = [0; 3];
        for row in rows.values() {
            all = std::array::from_fn(|column| all[column] + row[column]);
        }
        let line = |(name, [modules, pipelines, chosen]): (&str, [usize; 3])| {
            format!("{name:<32}{modules:>9}{pipelines:>11}{chosen:>9}\n")
        };
        let lines: String = rows.into_iter().chain([("all", all)]).map(line).collect();
        format!(
            "\
Compilers and checks see each pair of definitions of which one uses the other, and each definition with the values of
the pipeline constants that it reads, in each language. `cargo xtask check-shaders` wrote this.

pairs {}, values {}

{:<32}{:>9}{:>11}{:>9}
{lines}",
            self.pairs, self.values, "kernel", "modules", "pipelines", "covered"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridfold::shader::Constants;

    fn shader(text: &str, shifts: &[u32]) -> Shader {
        Shader {
            key: None,
            name: "made up".to_owned(),
            text: text.to_owned(),
            entry_point: "main",
            constants: shifts.iter().map(|&it| Constants::Shift(it).into()).collect(),
            loop_counters: false,
            promises_bits: true,
            is_of_ladder: false,
        }
    }

    #[test]
    fn each_pair_and_each_value_is_covered_once() {
        let [f, g, h] = ["fn f() { g(); }", "fn g() { _ = SHIFT; }", "fn h(f: u32) { _ = s.g; }"];
        let [main, constant] = ["fn main() { f(); h(1u); }", "override SHIFT: u32;"];
        let all = [main, constant, f, g, h].join("\n");
        // The same with another comment, with a function that nobody calls, and with another definition of `g`.
        let same = format!("// A comment\n{all}");
        let unused = format!("{all} fn i() {{ g(); }}");
        let other = all.replace("_ = SHIFT", "_ = SHIFT + 1u");
        let shaders = [(&all, &[0, 1][..]), (&same, &[1]), (&unused, &[0]), (&other, &[1])];
        let shaders = shaders.map(|(text, shifts)| shader(text, shifts));
        let cover = cover(&shaders);
        let chosen: Vec<_> =
            cover.shaders.iter().map(|it| (&it.text, it.constants.len())).collect();
        assert_eq!(chosen, [(&all, 2), (&other, 1)]);
        // A parameter's name is a use, too: main f, main h, h f, f g, g SHIFT; and f and SHIFT with the other g.
        assert_eq!((cover.pairs, cover.values), (7, 3));
        assert_eq!(seams(&cover.shaders), seams(&shaders));
        assert_ne!(seams(&shaders[..1]), seams(&shaders));
    }

    /// A device that has all is asked about what others have, too.
    #[test]
    fn each_language_has_its_own() {
        let text = "fn main() { f(); } fn f() {}";
        let wide = format!("{text} fn g(x: f64) {{}}");
        assert_eq!(cover(&[shader(&wide, &[0]), shader(text, &[0])]).shaders.len(), 1);
        assert_eq!(cover(&[shader(&wide, &[0])]).shaders.len(), 1);
        assert_eq!(cover(&[shader(&wide, &[0])]).pairs, 1);
        let floats = "alias Word = f32; var<workgroup> x: array<atomic<Word>, 4>;";
        let found = Languages::of(crate::tokens::tokens(floats).into_iter());
        assert_eq!(found, Languages { metal: true, ..Languages::default() });
    }
}
