//! The modules of the library depend on each other one way, their folders too, and no file is too long to read. Only fences
//! have the 0 that makes them.
//!
//! A module depends on what it imports, and on what it names by a path from the crate's root or from its parent. A parent that
//! declares and re-exports its children lists them, and does not depend on them. Tests may depend on anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// Lines of a file at most.
const MAX_LINES: usize = 520;
/// Longer ones, and why.
const LONG: &[(&str, &str)] = &[("self_test::battery", "a table of cases")];

type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn modules_depend_one_way() {
    let graph = graph(&library());
    assert!(graph.values().any(|others| !others.is_empty()), "nothing was found");
    assert_eq!(circles(&graph), Vec::<Vec<String>>::new(), "circles of modules");
}

#[test]
fn folders_depend_one_way() {
    let folders = folders(&graph(&library()));
    let found = circles(&folders);
    assert!(found.is_empty(), "circles of folders: {found:?} in {folders:#?}");
}

#[test]
fn files_are_short() {
    for (module, text) in library() {
        let lines = text.lines().count();
        let reason = LONG.iter().find(|(long, _)| *long == module);
        match reason {
            None => assert!(lines <= MAX_LINES, "{module} has {lines} lines: split it"),
            Some((_, reason)) => {
                assert!(lines > MAX_LINES, "{module} has {lines} lines: it need not be {reason}");
            }
        }
    }
}

/// Mesa's llvmpipe compiles a shader anew with the words that loops' bounds depend on. A fence is none where its 0 is among them.
#[test]
fn only_fences_have_their_zero() {
    let mut fences = 0;
    let mut open = vec![Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("shaders")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(path).expect("a folder").map(|entry| entry.expect("one").path()),
            );
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        for line in text.lines().filter(|line| line.contains(".zero") && !line.contains("//")) {
            let ends =
                ["return bitcast<u32>(x) + params.zero;", "bitcast<u64>(x) ^ u64(params.zero);"];
            let is_fence = ends.iter().any(|end| line.ends_with(end));
            assert!(is_fence, "{}: `{}` can have nothing_of", path.display(), line.trim());
            fences += 1;
        }
    }
    assert!(fences > 1, "nothing was found");
}

#[test]
fn circles_are_found() {
    let modules = |texts: &[(&str, &str)]| {
        texts.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    };
    let found = |texts: &[(&str, &str)]| circles(&graph(&modules(texts)));
    let circle =
        |names: &[&str]| vec![names.iter().copied().map(str::to_owned).collect::<Vec<_>>()];
    let b = "use crate::{\n    c::{self, D},\n    e,\n};\n";
    assert_eq!(
        found(&[("a", "use crate::b::B;"), ("b", b), ("c", "crate::a::f()")]),
        circle(&["a", "b", "c"])
    );
    assert_eq!(
        found(&[("a", "mod b;\nuse b::B;"), ("a::b", "use super::A;")]),
        circle(&["a", "a::b"])
    );
    assert_eq!(found(&[("a", "mod b;\npub use b::B;"), ("a::b", "use super::A;")]), [[""; 0]; 0]);
    let in_a_test = "#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n// crate::b\n";
    assert_eq!(found(&[("a", in_a_test), ("b", "use crate::a;")]), [[""; 0]; 0]);
    let between =
        graph(&modules(&[("a::b", "crate::c::d"), ("c::d", ""), ("c::e", "crate::a::b")]));
    assert!(circles(&between).is_empty());
    assert_eq!(circles(&folders(&between)), circle(&["a", "c"]));
}

/// The text of every module, by its path in the crate. Without the crate's root, which names them all.
fn library() -> BTreeMap<String, String> {
    fn add(folder: &Path, path: &str, to: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("a folder of the sources") {
            let file = entry.expect("an entry").path();
            let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
            let module = if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
            if file.is_dir() {
                add(&file, &module, to);
            } else if module != "lib" {
                to.insert(module, fs::read_to_string(&file).expect("a text"));
            }
        }
    }
    let mut modules = BTreeMap::new();
    add(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../src")), "", &mut modules);
    modules
}

fn graph(modules: &BTreeMap<String, String>) -> Graph {
    let others = |module: &str, text: &str| {
        let paths = named_paths(&without_tests(text)).into_iter();
        paths.filter_map(|path| resolve(&path, module, modules)).filter(|to| to != module).collect()
    };
    modules.iter().map(|(module, text)| (module.clone(), others(module, text))).collect()
}

/// Dependencies between the modules' first parts.
fn folders(graph: &Graph) -> Graph {
    let folder = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let mut folders = Graph::new();
    for (module, others) in graph {
        let from = folder(module);
        let others = others.iter().map(|other| folder(other)).filter(|to| *to != from);
        folders.entry(from.clone()).or_default().extend(others);
    }
    folders
}

/// The sets of those that depend on each other.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    fn reached<'g>(graph: &'g Graph, from: &'g String) -> BTreeSet<&'g String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            open.extend(graph[next].iter().filter(|&to| reached.insert(to)));
        }
        reached
    }
    let reached: BTreeMap<_, _> =
        graph.keys().map(|module| (module, reached(graph, module))).collect();
    let circle_of = |module: &String| {
        let is_in = |other: &&&String| reached[*other].contains(module);
        reached[module].iter().filter(is_in).map(|&other| other.clone()).collect::<Vec<_>>()
    };
    let circles: BTreeSet<_> = graph.keys().map(circle_of).collect();
    circles.into_iter().filter(|circle| !circle.is_empty()).collect()
}

/// Without comments and what is compiled for tests alone.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.extend([line, "\n"]);
            continue;
        }
        // An item of one line, or to the brace that is as far to the right.
        let indentation = line.len() - line.trim_start().len();
        let first = lines.next().unwrap_or_default();
        if !first.ends_with(';') {
            let end = format!("{}}}", &line[..indentation]);
            lines.find(|line| *line == end);
        }
    }
    kept
}

/// The paths of imports, and those from the crate's root or the parent in all other code.
fn named_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut code = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let start = line.trim_start();
        let import = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "]
            .into_iter()
            .find_map(|word| Some((start.strip_prefix(word)?, word == "use ")));
        if let (Some((_, is_private)), Some((import, after))) = (import, rest.split_once(';')) {
            let (_, tree) = import.split_once("use ").unwrap_or_default();
            let mut imported = Vec::new();
            expand(tree, "", &mut imported);
            // What is re-exported from elsewhere is imported.
            let is_counted = |path: &String| {
                is_private || path.starts_with("crate::") || path.starts_with("super::")
            };
            paths.extend(imported.into_iter().filter(is_counted));
            rest = after;
        } else {
            code.push_str(line);
            rest = &rest[line.len()..];
        }
    }
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let roots = ["crate::", "super::"];
    paths.extend(
        words.filter(|word| roots.iter().any(|root| word.starts_with(root))).map(str::to_owned),
    );
    paths
}

/// `a::{b, c::{d}}` is `a::b` and `a::c::d`.
fn expand(tree: &str, before: &str, to: &mut Vec<String>) {
    let Some((first, inner)) = tree.split_once('{') else {
        to.push(format!("{before}{}", tree.trim()));
        return;
    };
    let before = format!("{before}{}", first.trim());
    let inner = inner.rsplit_once('}').map_or("", |(inner, _)| inner);
    let (mut depth, mut begin) = (0, 0);
    for (end, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[begin..end].trim().is_empty() {
                    expand(&inner[begin..end], &before, to);
                }
                begin = end + 1;
            }
            _ => {}
        }
    }
}

/// The module that a path of `module` leads to, if it is one of the library's.
fn resolve(path: &str, module: &str, modules: &BTreeMap<String, String>) -> Option<String> {
    let mut place: Vec<&str> = module.split("::").collect();
    let mut found = None;
    for (index, part) in path.split("::").enumerate() {
        match part {
            "crate" if index == 0 => place.clear(),
            "super" => {
                place.pop();
                found = None;
            }
            "self" => {}
            part => place.push(part),
        }
        let name = place.join("::");
        if modules.contains_key(&name) {
            found = Some(name);
        }
    }
    found
}
