//! `gridfold wgsl`: collectives for kernels of one's own, as text.

use crate::{Outcome, stdout};
use clap::Args;
use gridfold::{
    Capabilities, ElementType, OperatorType, SubgroupSizes, Variant,
    wgpu::{Features, Limits},
    wgsl::{Collective, Collectives, CollectivesRequirements},
};
use std::io::Write;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct WgslArguments {
    /// Invocations of the kernel's workgroups, in one dimension: 1 to 1024.
    #[arg(long, default_value_t = 256, allow_negative_numbers = true)]
    pub workgroup_size: u32,
    /// An operator, an element type (f32, f64, i32, u32, i64 or u64), and the name that its functions begin with, such as sum:f32 (then that is sum) or
    /// total=sum:f32. May be given again.
    #[arg(long = "operator", value_name = "[NAME=]OP:TYPE", value_parser = operator)]
    pub operators: Vec<Operator>,
    /// Families of functions, separated by commas: reduce, scan, segmented-reduce and ticket, of each operator; shuffle, shuffle-wide, compact, exchange, sort, sort-wide, vote, rank, match, append.
    #[arg(long, value_name = "FAMILIES", value_delimiter = ',', value_parser = collective, required = true)]
    pub with: Vec<Collective>,
    /// How lanes exchange values: subgroup, which takes a device that has them and whose lanes are neighbours, or workgroup-memory.
    #[arg(long, default_value = Variant::Subgroup.name(), value_parser = variant)]
    pub mechanism: Variant,
    /// The largest subgroup that a device may have; with workgroup memory the size of the groups that stand for subgroups.
    #[arg(long, allow_negative_numbers = true)]
    pub subgroup_size: Option<u32>,
    /// What names begin with that are of no operator.
    #[arg(long, default_value = "gridfold")]
    pub prefix: String,
    /// Where the kernel's uniform holds 0, if floats are added or multiplied.
    #[arg(long, default_value = "params.zero")]
    pub zero: String,
    /// Where the kernel counts the entries of a list, in an atomic, if some are appended.
    #[arg(long, default_value = "list.length")]
    pub list: String,
    /// The kernel's buffer where workgroups deliver totals, for a ticket.
    #[arg(long, default_value = "ticket")]
    pub ticket: String,
    /// Items that each lane sorts or exchanges.
    #[arg(long, default_value_t = 8, allow_negative_numbers = true)]
    pub items_per_lane: u32,
    /// Values of so many words in shuffle-wide, and in compact beside it: 1 to 16, separated by commas. Those of two to four are there anyway.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', allow_negative_numbers = true)]
    pub words: Vec<u32>,
    /// Bytes of workgroup memory that the device allows.
    #[arg(long, default_value_t = 16384, allow_negative_numbers = true)]
    pub workgroup_bytes: u32,
    /// Add and multiply floats in integers, for a device whose floats are not IEEE-754's.
    #[arg(long)]
    pub software_floats: bool,
}

const HELP: &str = "The text goes before a kernel in its module, behind directives such as enable. It begins with a comment that says what the \
     kernel needs: features, bytes of workgroup memory, the uniform's zero, and barriers of each call. Call the functions where all \
     invocations of the workgroup come. The library's documentation (gridfold::wgsl) describes them.";

/// An operator of `--operator`.
#[derive(Clone, Debug)]
pub struct Operator {
    name: String,
    operator: OperatorType,
    element: ElementType,
}

fn operator(text: &str) -> Result<Operator, String> {
    let (name, what) = text.split_once('=').map_or((None, text), |(name, what)| (Some(name), what));
    let (operator, element) =
        what.split_once(':').ok_or("give an operator and a type, as sum:f32")?;
    if ElementType::ALL.iter().any(|one| one.name() == operator) {
        return Err(format!("the operator comes first, as {element}:{operator}"));
    }
    let found = OperatorType::ALL.iter().find(|one| one.name() == operator);
    let all = || OperatorType::ALL.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
    let operator = *found.ok_or_else(|| format!("no operator {operator}: there are {}", all()))?;
    let found = ElementType::ALL.into_iter().find(|one| one.name() == element);
    let all = || ElementType::ALL.map(ElementType::name).join(", ");
    let element = found.ok_or_else(|| format!("no element type {element}: there are {}", all()))?;
    let name = name.map_or_else(|| operator.name().replace('-', "_"), str::to_owned);
    Ok(Operator { name, operator, element })
}

fn collective(text: &str) -> Result<Collective, String> {
    let all = Collective::ALL.map(Collective::name);
    let found = Collective::ALL.into_iter().find(|one| one.name() == text);
    found.ok_or_else(|| format!("there are these: {}", all.join(", ")))
}

fn variant(text: &str) -> Result<Variant, String> {
    let all = [Variant::Subgroup, Variant::WorkgroupMemory];
    let found = all.into_iter().find(|one| one.name() == text);
    found.ok_or_else(|| format!("there are these: {}", all.map(Variant::name).join(", ")))
}

pub fn run(arguments: &WgslArguments) -> Outcome {
    let collectives = collectives(arguments);
    let source = collectives.source()?;
    let requirements = collectives.requirements()?;
    let mut out = stdout();
    for line in needs(&requirements) {
        writeln!(out, "// {line}")?;
    }
    write!(out, "\n{source}")?;
    Ok(out.flush()?)
}

fn collectives(arguments: &WgslArguments) -> Collectives {
    // Of a device that nothing is known of but what was said.
    let mut capabilities = Capabilities::default();
    let max = arguments.subgroup_size.filter(|_| arguments.mechanism == Variant::Subgroup);
    capabilities.subgroups = Some(SubgroupSizes { min: 4, max: max.unwrap_or(128) });
    capabilities.sound_floats = !arguments.software_floats;
    capabilities.coherent_memory = true;
    let limits = Limits {
        max_compute_invocations_per_workgroup: u32::MAX,
        max_compute_workgroup_size_x: u32::MAX,
        max_compute_workgroup_storage_size: arguments.workgroup_bytes,
        ..Limits::defaults()
    };
    let mut collectives = Collectives::of(&capabilities, &limits)
        .workgroup_size(arguments.workgroup_size)
        .variant(arguments.mechanism)
        .subgroup_size(arguments.subgroup_size.unwrap_or(32))
        .prefix(&arguments.prefix)
        .zero(&arguments.zero)
        .list(&arguments.list)
        .ticket(&arguments.ticket)
        .items_per_lane(arguments.items_per_lane)
        .with(arguments.with.iter().copied());
    for Operator { name, operator, element } in &arguments.operators {
        collectives = collectives.operator_type(*operator, *element, name);
    }
    arguments.words.iter().fold(collectives, |collectives, &words| collectives.words(words))
}

/// What a kernel needs, line by line.
fn needs(requirements: &CollectivesRequirements) -> Vec<String> {
    let mut lines = vec![format!(
        "gridfold {}: collectives of workgroups of {} invocations.",
        env!("CARGO_PKG_VERSION"),
        requirements.workgroup_size
    )];
    if requirements.features.contains(Features::SUBGROUP) {
        lines.push(
            "Needs subgroups (Features::SUBGROUP) whose lanes are neighbours in the workgroup: else print it with --mechanism \
             workgroup-memory."
                .to_owned(),
        );
    }
    if let Some(sizes) = requirements.subgroup_sizes {
        lines.push(format!("Subgroups have at most {} lanes.", sizes.max));
    }
    if !requirements.directives.is_empty() {
        lines.push(format!(
            "In browsers the module begins with: {} (wgpu's own compiler wants no such directive.)",
            requirements.directives.join(" ")
        ));
    }
    lines.push(format!("Takes {} bytes of workgroup memory.", requirements.workgroup_bytes));
    if let Some(zero) = &requirements.zero {
        lines.push(format!("The kernel's uniform holds 0 in {zero}, a u32."));
    }
    if let Some(list) = &requirements.list {
        lines.push(format!("The kernel counts a list's entries in {list}, an atomic<u32>."));
    }
    if let Some(ticket) = &requirements.ticket {
        lines.push(format!(
            "Workgroups deliver totals to {}: delivered, an atomic<u32> that is 0, and partials, {} atomic<u32>s for each. On Vulkan and DX12.",
            ticket.path, ticket.words
        ));
    }
    lines.push("Functions, and barriers of a call:".to_owned());
    for function in &requirements.functions {
        let (least, most) = (function.barriers.start(), function.barriers.end());
        lines.push(match least == most {
            true => format!("  {}: {least}", function.name),
            false => format!(
                "  {}: {least} to {most}, by the size of a subgroup, and by the values",
                function.name
            ),
        });
    }
    lines
}
