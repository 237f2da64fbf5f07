//! The README and the other pages: the table of operators is the code's, links lead somewhere, and the README is short.

use gridfold::{
    Capabilities, ElementType, OperatorSpec, OperatorType, Precision, SubgroupSizes, Sum, wgpu,
    wgsl::{Collective, Collectives},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const README: &str = include_str!("../README.md");

/// Element types that every operator treats alike, and the table's column for them.
const COLUMNS: [(&str, &[ElementType]); 7] = [
    ("`f32`, `f16`, `bf16`", &[ElementType::F32, ElementType::F16, ElementType::BF16]),
    ("`f64`", &[ElementType::F64]),
    (
        "integers",
        &[
            ElementType::I8,
            ElementType::U8,
            ElementType::I16,
            ElementType::U16,
            ElementType::I32,
            ElementType::U32,
            ElementType::I64,
            ElementType::U64,
        ],
    ),
    ("`Bool`", &[ElementType::Bool]),
    ("`Bits`", &[ElementType::Bits]),
    ("`[f32; N]`", &[ElementType::F32x2, ElementType::F32x3, ElementType::F32x4]),
    (
        "`[i32; N]`, `[u32; N]`",
        &[
            ElementType::I32x2,
            ElementType::I32x3,
            ElementType::I32x4,
            ElementType::U32x2,
            ElementType::U32x3,
            ElementType::U32x4,
        ],
    ),
];

#[test]
fn the_table_of_operators_is_the_codes() {
    let (begin, end) = ("<!-- operators -->\n", "<!-- /operators -->");
    let found = between(README, begin, end);
    let expected = table_of_operators();
    assert_eq!(found, expected, "between its marks README.md needs this:\n\n{expected}");
}

/// What operators do, and for which elements they do not: after a table of levels, one of primitives.
fn table_of_operators() -> String {
    let primitives = [
        primitive("[segments, keys, axes](docs/guide/src/segments.md)", OperatorSpec::has_segments),
        primitive("[scans](docs/guide/src/scans.md)", OperatorSpec::scans),
    ];
    let heading = "| primitive | operators | not of |\n|---|---|---|\n";
    [&table_of_levels(), "\n", heading, &primitives.concat()].concat()
}

/// The row of a primitive: its operators, and the columns of elements that an operator has otherwise.
fn primitive(name: &str, has: impl Fn(&OperatorSpec) -> bool) -> String {
    let mut lacking: BTreeMap<usize, bool> = BTreeMap::new();
    let (mut having, mut without) = (Vec::new(), Vec::new());
    for operator in listed_operators() {
        let columns: Vec<(usize, bool)> = (0..COLUMNS.len())
            .flat_map(|column| COLUMNS[column].1.iter().map(move |&element| (column, element)))
            .filter_map(|(column, element)| Some((column, has(operator.spec(element)?))))
            .collect();
        if columns.iter().all(|(_, has)| !has) {
            without.push(operator.name());
            continue;
        }
        having.push(operator.name());
        for (column, has) in columns {
            let lacks = *lacking.entry(column).or_insert(!has);
            assert_eq!(lacks, !has, "{operator} by {name}: the table needs more columns");
        }
    }
    let operators = match (&having[..], &without[..]) {
        (_, []) => "all".to_owned(),
        (having, without) if without.len() < having.len() => {
            format!("all but {}", without.join(", "))
        }
        (having, _) => having.join(", "),
    };
    let lacking: Vec<&str> = lacking
        .into_iter()
        .filter(|(_, lacks)| *lacks)
        .map(|(column, _)| COLUMNS[column].0)
        .collect();
    format!("| {name} | {operators} | {} |\n", lacking.join(", "))
}

/// Operators, and with a rule for NaNs if it changes what floats have. Other options change nothing here.
fn listed_operators() -> impl Iterator<Item = OperatorType> {
    let levels_of =
        |operator| [ElementType::F32, ElementType::F64].map(|element| levels(operator, element));
    let is_listed = move |operator: &OperatorType| {
        let without = operator.without_options();
        *operator == without
            || *operator == without.nan(operator.nan_rule())
                && levels_of(*operator) != levels_of(without)
    };
    OperatorType::ALL.iter().copied().filter(is_listed)
}

/// Operators of equal levels share a row.
fn table_of_levels() -> String {
    let mut rows: Vec<(Vec<&str>, [String; COLUMNS.len()])> = Vec::new();
    for operator in listed_operators() {
        let cells = COLUMNS.map(|(column, types)| {
            let mut cells: Vec<String> = types.iter().map(|&of| levels(operator, of)).collect();
            cells.dedup();
            assert_eq!(cells.len(), 1, "{operator} of {column}: {cells:?} need more columns");
            cells.remove(0)
        });
        match rows.iter_mut().find(|(_, of)| *of == cells) {
            Some((operators, _)) => operators.push(operator.name()),
            None => rows.push((vec![operator.name()], cells)),
        }
    }
    let headings = COLUMNS.map(|(heading, _)| heading);
    let mut table = format!(
        "| operators | {} |\n|---{}|\n",
        headings.join(" | "),
        "|---".repeat(COLUMNS.len())
    );
    for (operators, cells) in rows {
        table += &format!("| {} | {} |\n", operators.join(", "), cells.join(" | "));
    }
    table
}

/// The levels that results can keep, by their first letters.
fn levels(operator: OperatorType, element: ElementType) -> String {
    let mut levels: Vec<&str> = Precision::ALL
        .into_iter()
        .filter_map(|asked_for| asked_for.kept_by(operator, element))
        .map(|kept| match kept {
            Precision::Unordered => "U",
            Precision::Reproducible => "R",
            Precision::Exact => "E",
            other => panic!("{other:?} needs a letter"),
        })
        .collect();
    levels.dedup();
    levels.join(" ")
}

#[test]
fn the_readme_is_short_and_begins_with_code() {
    let lines = README.lines().count();
    let words = README.split_whitespace().count();
    assert!(lines <= 130 && words <= 1000, "README.md has {lines} lines, {words} words");
    let first = README.lines().position(|line| line.starts_with("```rust"));
    assert!(first.is_some_and(|line| line < 19), "README.md's first Rust is in line {first:?}");
}

#[test]
fn the_architecture_fits_200_lines() {
    let lines = read(&root().join("ARCHITECTURE.md")).lines().count();
    assert!(lines <= 200, "ARCHITECTURE.md has {lines} lines");
}

#[test]
fn the_guide_lists_its_pages() {
    let folder = root().join("docs/guide/src");
    let summary = read(&folder.join("SUMMARY.md"));
    let library = read(&root().join("src/lib.rs"));
    for page in pages(&folder) {
        let name = page.file_name().and_then(|name| name.to_str()).expect("a name");
        if name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "SUMMARY.md does not list {name}");
            let included = format!("../docs/guide/src/{name}");
            assert!(library.contains(&included), "no test compiles the examples of {name}");
        }
    }
}

#[test]
fn every_example_is_listed() {
    let folder = root().join("examples");
    let list = read(&folder.join("README.md"));
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if name.ends_with(".rs") || path.join("main.rs").is_file() {
            assert!(list.contains(&format!("]({name})")), "examples/README.md lacks {name}");
            count += 1;
        }
    }
    let listed = list.lines().filter(|line| line.starts_with("| [")).count();
    assert_eq!(listed, count, "as many rows as examples");
}

#[test]
fn relative_links_lead_somewhere() {
    let mut seen = 0;
    let mut lost = Vec::new();
    for page in pages(&root()) {
        let text = read(&page);
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            seen += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().expect("a page is in a folder");
            let target = if path.is_empty() { page.clone() } else { folder.join(path) };
            let is_there = target.exists()
                && (anchor.is_empty()
                    || target.extension().is_none_or(|extension| extension != "md")
                    || anchors(&read(&target)).iter().any(|found| found == anchor));
            if !is_there {
                lost.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(seen > 50, "only {seen} links were found");
    assert!(lost.is_empty(), "these lead nowhere:\n{}", lost.join("\n"));
}

#[test]
fn links_and_anchors_are_found() {
    let text =
        "# A `b`, c!\n[x](y.md#z) [q][r]\n[r]: s.rs\n<img src=\"t.svg\">\n```\n[u](v)\n```\n";
    assert_eq!(links(text), ["y.md#z", "s.rs", "t.svg"]);
    assert_eq!(anchors(text), ["a-b-c"]);
}

/// Behind the collectives that the pages ask for, naga takes the kernels that the pages show.
#[test]
fn kernels_on_the_pages_are_right() {
    let guide = read(&root().join("docs/guide/src/own-kernels.md"));
    let own = between(&guide, "let kernel = \"", "\";");
    let readme = between(README, "```wgsl\n", "```");
    let mut subgroups = Capabilities::default();
    subgroups.subgroups = Some(SubgroupSizes { min: 8, max: 32 });
    subgroups.lanes_in_order = true;
    for capabilities in [Capabilities::default(), subgroups] {
        let collectives = Collectives::of(&capabilities, &wgpu::Limits::defaults())
            .workgroup_size(96)
            .operator::<f32, _>("sum", Sum)
            .with([Collective::Reduce])
            .source()
            .expect("the collectives exist");
        for kernel in [own, readme] {
            let text = [collectives.as_str(), kernel].concat();
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
            let all = naga::valid::Capabilities::all();
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), all)
                .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
                .subgroup_operations(naga::valid::SubgroupOperationSet::all())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
        }
    }
}

/// What stands between two marks of a page.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let after = page.split_once(begin).unwrap_or_else(|| panic!("no {begin}")).1;
    after.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

/// Their verbs take what the feature `unstable` alone makes public.
const UNSTABLE: [&str; 2] = ["ReductionPlan", "ScanPlan"];

/// A row is for a kind of call.
#[test]
fn the_table_of_calls_has_every_type_with_verbs() {
    let front_page = read(&root().join("src/lib.rs"));
    let table = between(&front_page, "# What each call does", "¹ Scratch memory");
    let verbs: Vec<Verb> =
        sources(&root().join("src")).iter().flat_map(|path| verbs(&read(path))).collect();
    assert!(verbs.len() > 100, "{} verbs", verbs.len());
    let types: BTreeSet<&str> = verbs.iter().map(|verb| verb.of.as_str()).collect();
    let is_named = |of: &&str| {
        [format!("[`{of}`]"), format!("[`{of}::"), format!("::{of}`]")]
            .iter()
            .any(|link| table.contains(link.as_str()))
    };
    let missing: Vec<&str> =
        types.into_iter().filter(|of| !UNSTABLE.contains(of) && !is_named(of)).collect();
    assert!(missing.is_empty(), "src/lib.rs has no row that names {missing:?}");
}

/// Names of other libraries, by which rustdoc's search finds what does the same here.
#[test]
fn names_of_other_libraries_find_something() {
    const CUB_AND_THRUST: &str = "DeviceReduce DeviceSegmentedReduce DeviceScan DeviceSelect DevicePartition \
         DeviceRunLengthEncode DeviceHistogram DeviceAdjacentDifference BlockReduce WarpScan __syncthreads_count \
         __ballot_sync copy_if inner_product transform_reduce reduce_by_key min_element max_element gpu_to_gpu";
    const NUMPY: &str = "cumsum cumprod argmin argmax nansum nanmean nanvar nanstd isnan count_nonzero var std diff reduceat \
         bincount argwhere numpy.histogram fsum";
    const BLAS: &str = "l2 nrm2 asum amax";
    let texts: Vec<String> = sources(&root().join("src")).iter().map(|path| read(path)).collect();
    let aliases: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split("doc(alias(").skip(1))
        .filter_map(|rest| rest.split_once("))"))
        .flat_map(|(names, _)| names.split('"').skip(1).step_by(2))
        .collect();
    let names = [CUB_AND_THRUST, NUMPY, BLAS].map(str::split_whitespace);
    let missing: Vec<&str> =
        names.into_iter().flatten().filter(|it| !aliases.contains(it)).collect();
    assert!(missing.is_empty(), "nothing has the aliases {missing:?}");
}

#[test]
fn verbs_are_found() {
    let text = "impl<T: Of<T>> Array<T>\nwhere\n    T: Of<T>,\n{\n    pub fn sum(&self) -> Result<T, Error> {\n    }\n    \
                pub fn len(&self) -> u64 {\n    }\n    #[doc(hidden)]\n    pub fn inner(&self) -> Result<T, Error> {\n    }\n    \
                fn own(&self) -> Result<T, Error> {\n    }\n}\nimpl Drop for Array {\n    pub async fn late() -> Result<(), Error> {\n}\n\
                impl Prepared {\n    pub async fn record(\n        &self,\n        encoder: &mut wgpu::CommandEncoder,\n    ) {\n";
    let found: Vec<String> =
        verbs(text).iter().map(|verb| format!("{}::{}", verb.of, verb.name)).collect();
    assert_eq!(found, ["Array::sum", "Prepared::record"]);
}

/// A public method that can fail, or records something.
struct Verb {
    of: String,
    name: String,
}

fn verbs(text: &str) -> Vec<Verb> {
    let mut verbs = Vec::new();
    // The type of the implementation that a line is in; of traits there is none.
    let mut of = None;
    let lines: Vec<&str> = text.lines().collect();
    let head = |begin: usize| {
        let end = lines[begin..].iter().position(|line| line.contains('{')).unwrap_or_default();
        lines[begin..=begin + end].join(" ")
    };
    for (index, line) in lines.iter().enumerate() {
        if line.starts_with("impl") {
            let head = head(index);
            let subject = head.split(" where").next().unwrap_or_default();
            of = (!subject.contains(" for ")).then(|| name_of_type(subject));
        }
        let Some(signature) =
            line.strip_prefix("    pub fn ").or_else(|| line.strip_prefix("    pub async fn "))
        else {
            continue;
        };
        let head = head(index);
        let acts = ["Result<", "CommandEncoder", "ComputePass"].iter().any(|it| head.contains(it));
        let mut attributes = lines[..index].iter().rev().take_while(|it| it.starts_with("    #["));
        let is_hidden =
            attributes.any(|it| it.contains("doc(hidden)") || it.contains("\"unstable\""));
        if let Some(of) = of.clone().filter(|_| acts && !is_hidden) {
            let end = signature.find(['<', '(']).unwrap_or(signature.len());
            verbs.push(Verb { of, name: signature[..end].to_owned() });
        }
    }
    verbs
}

/// The type's name in `impl<T: Of<T>> Name<T> {`.
fn name_of_type(head: &str) -> String {
    let mut depth = 0;
    let after = head["impl".len()..].char_indices().find(|&(_, c)| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0 && c == ' '
    });
    let rest = after.map_or("", |(at, _)| &head["impl".len() + at..]);
    rest.chars().skip(1).take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The Rust files in a folder and those below.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Markdown in a folder and those below, but not in what builds leave.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "book" {
            pages.extend(self::pages(&path));
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
    pages
}

/// The lines outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Where a page's links lead: those in the text, those listed below it, and its pictures.
fn links(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    for line in prose(text) {
        links.extend(
            line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|it| it.0),
        );
        links.extend(line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()));
        if line.starts_with('[') {
            links.extend(line.split_once("]: ").map(|it| it.1));
        }
    }
    links
}

/// The names of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept =
                heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}
