//! MPI: whether it is there, and the tests of gridfold-mpi, which needs it.

use crate::{
    adapter,
    command::{Command, build_dir},
    files::{create_dir, write},
    packages::{Distribution, install_with_apt},
};
use std::{
    env,
    ffi::OsString,
    path::Path,
    time::{Duration, Instant},
};

/// Numbers of ranks, on however few cores.
const RANKS: [u32; 5] = [1, 2, 3, 4, 7];
/// The end of a job that does not end.
const LIMIT: Duration = Duration::from_secs(300);
/// Open MPI, and what makes declarations of its header.
const PACKAGES: &str = "openmpi-bin libopenmpi-dev libclang-dev";

/// The compiler of the MPI, where the crate mpi-sys looks for it, too.
fn compiler() -> OsString {
    env::var_os("MPICC").unwrap_or_else(|| "mpicc".into())
}

/// What starts a job of the same MPI.
fn launcher() -> OsString {
    env::var_os("MPIRUN").unwrap_or_else(|| "mpirun".into())
}

fn is_there() -> bool {
    Command::new(compiler(), "--version").works()
}

/// Installs Open MPI where there is no MPI and nothing has to be asked, and says whether gridfold-mpi is built and tested.
///
/// # Errors
///
/// A sentence, if it was not installed.
pub fn provide(yes: bool) -> Result<(), String> {
    let is_missing = !is_there();
    if is_missing && installs(yes, env::var_os("MPICC").is_some(), Distribution::here()) {
        println!("There is no MPI.");
        install_with_apt(PACKAGES, yes)?;
    }
    let compiler = compiler();
    let compiler = compiler.display();
    if is_there() {
        println!(
            "There is an MPI ({compiler}). So gridfold-mpi is tested too, which needs libclang."
        );
    } else {
        println!(
            "There is no MPI ({compiler}): gridfold-mpi is neither built nor tested. Debian's packages are {PACKAGES}."
        );
    }
    Ok(())
}

/// Without a yes the tests go on without MPI, which few need. One that the caller has named is not replaced.
fn installs(yes: bool, is_named: bool, distribution: Distribution) -> bool {
    yes && !is_named && distribution.has_apt()
}

/// A command of cargo's on the whole workspace, but for gridfold-mpi where there is no MPI.
pub fn workspace(subcommand: &str, arguments: &str) -> Command {
    let command = Command::cargo(subcommand).arg("--workspace");
    let command = if is_there() { command } else { command.args("--exclude gridfold-mpi") };
    command.args(arguments)
}

/// Runs the examples of gridfold-mpi, which the tests of the workspace have built, on several numbers of ranks. Ranks take the CPU and the
/// adapters of this machine in turn.
///
/// # Errors
///
/// A sentence, if bits differ, or if a job does not end as it must.
pub fn check(target_dir: &Path) -> Result<(), String> {
    if !is_there() {
        println!("There is no MPI ({}): left out.", compiler().display());
        return Ok(());
    }
    let adapters = adapters()?;
    for ranks in RANKS {
        job(ranks, "check")?.env("GRIDFOLD_MPI_ADAPTERS", &adapters).run()?;
    }
    for way in ["error", "panic", "kill"] {
        let start = Instant::now();
        let job = job(3, "check")?.arg(way);
        println!("$ {job}\nIts last rank fails on purpose:");
        let (status, _) = job.end()?;
        if status.success() || start.elapsed() >= LIMIT {
            return Err(format!("a rank failed, and the job did not: {job}"));
        }
    }
    let file = target_dir.join("ranks/numbers.npy");
    create_dir(&target_dir.join("ranks"))?;
    write(&file, numbers())?;
    let reduce = adapter::program("reduce --op sum --adapter cpu")?.arg(&file).output()?;
    let (wanted, _) = reduce.split_once(',').ok_or_else(|| format!("no sum in {reduce}"))?;
    for ranks in RANKS {
        let job = job(ranks, "sum_file")?.arg(&file);
        println!("$ {job}");
        let found = job.output()?;
        if found.trim() != wanted {
            return Err(format!("{job} printed {found}, and `gridfold reduce` {wanted}"));
        }
    }
    Ok(())
}

/// A job of an example of gridfold-mpi.
fn job(ranks: u32, example: &str) -> Result<Command, String> {
    let program = build_dir()?.join("examples").join(example);
    let job = Command::new(launcher(), "-n").arg(ranks.to_string()).arg(program);
    let settings = [
        // More ranks than cores, by the names of Open MPI up to 4 and from 5 on.
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
        // Containers have no other user.
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("WGPU_VALIDATION", "0"),
    ];
    let settings = settings.map(|(name, value)| (name, value.into()));
    Ok(job.envs(settings.to_vec()).env("MPIEXEC_TIMEOUT", LIMIT.as_secs().to_string()))
}

/// The CPU, and adapters as the tests' choice has them.
fn adapters() -> Result<String, String> {
    let choice = match env::var(adapter::CHOICE) {
        Ok(choice) => choice,
        Err(_) => {
            let usable = adapter::list(Vec::new())?;
            let usable = usable.iter().filter(|adapter| adapter["usable"] == true);
            let indices: Vec<String> = usable.map(|adapter| adapter["index"].to_string()).collect();
            indices.join(",")
        }
    };
    let adapters = choice.split(',').filter(|adapter| !["", "none"].contains(adapter));
    Ok(["cpu"].into_iter().chain(adapters).collect::<Vec<_>>().join(","))
}

/// A file of many float32s, as numpy.save writes it.
fn numbers() -> Vec<u8> {
    const LEN: u32 = 100_003;
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({LEN},), }}");
    // The elements begin at a multiple of 64 bytes.
    let header = format!("{header:<117}\n");
    let length = u16::try_from(header.len()).expect("a short header");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.bytes());
    let number = |i: u32| (i.wrapping_mul(0x9e37_79b1) >> 8) as f32 * 1e-3 - 8e3;
    bytes.extend((0..LEN).flat_map(|i| number(i).to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_unasked() {
        assert!(installs(true, false, Distribution::Debian));
        assert!(installs(true, false, Distribution::Ubuntu));
        assert!(!installs(false, false, Distribution::Debian), "without a yes");
        assert!(!installs(true, true, Distribution::Debian), "another is named");
        assert!(!installs(true, false, Distribution::Other), "there is no apt-get");
    }

    #[test]
    fn the_file_is_one_of_numpys() {
        let numbers = numbers();
        assert_eq!(numbers.len(), 128 + 4 * 100_003);
        assert_eq!(numbers[127], b'\n');
    }
}
