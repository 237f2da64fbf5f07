//! Packages of Debian and Ubuntu, and what to do elsewhere.

use crate::{command::Command, consent::run_after_yes};
use std::{
    fs,
    io::{self, IsTerminal},
};

/// A family of Linux distributions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    Debian,
    Ubuntu,
    Other,
}

impl Distribution {
    /// This machine's; `Other` where there is no /etc/os-release.
    pub fn here() -> Self {
        Self::of(&fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    /// By the ID and ID_LIKE of /etc/os-release.
    fn of(os_release: &str) -> Self {
        let field = |name: &str| {
            os_release
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .unwrap_or_default()
                .trim_matches(['"', '\''])
        };
        let mut families = field("ID").split(' ').chain(field("ID_LIKE").split(' '));
        families
            .find_map(|family| match family {
                "debian" => Some(Self::Debian),
                "ubuntu" => Some(Self::Ubuntu),
                _ => None,
            })
            .unwrap_or(Self::Other)
    }

    /// Whether packages can be installed from here.
    pub fn has_apt(self) -> bool {
        matches!(self, Self::Debian | Self::Ubuntu)
    }
}

/// Installs packages with apt-get.
///
/// # Errors
///
/// A sentence, if they were not installed.
pub fn install_with_apt(packages: &str, yes: bool) -> Result<(), String> {
    let is_root = Command::new("id", "-u").output()?.trim() == "0";
    let terminal = io::stdin().is_terminal();
    // Through env, because sudo keeps little of the environment.
    let (program, before) = match (is_root, terminal) {
        (true, _) => ("env", ""),
        (false, true) => ("sudo", "env"),
        // sudo must not ask for a password where there is no terminal to type it on.
        (false, false) => ("sudo", "--non-interactive env"),
    };
    let apt_get = |arguments: &str| {
        let apt_get = "DEBIAN_FRONTEND=noninteractive apt-get";
        Command::new(program, &format!("{before} {apt_get} {arguments}"))
    };
    let update = apt_get("update");
    let install = apt_get(&format!("install --yes --no-install-recommends {packages}"));

    let instead = format!("install {packages}");
    run_after_yes(yes, &[update, install], &instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_ID=\"12\"\nID=debian\n";
        assert_eq!(Distribution::of(debian), Distribution::Debian);
        assert_eq!(Distribution::of("ID=ubuntu\nID_LIKE=debian\n"), Distribution::Ubuntu);
        let mint = "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
        assert_eq!(Distribution::of(mint), Distribution::Ubuntu);
        assert_eq!(Distribution::of("ID=nixos\n"), Distribution::Other);
        assert_eq!(Distribution::of(""), Distribution::Other);
    }
}
