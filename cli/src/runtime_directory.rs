//! A directory for Wayland to look into.

use std::{env, os::unix::process::CommandExt, process::Command};

const VARIABLE: &str = "XDG_RUNTIME_DIR";
/// No directory, so there is no socket in it.
const NOWHERE: &str = "/dev/null";

/// Begins the program anew with the variable set, where it is not: on servers, and in containers.
///
/// A layer of Mesa's for Vulkan, and its OpenGL, ask Wayland for the screen's GPU. Without the variable libwayland writes an
/// error to the standard error, which no option turns off; with any directory it finds nothing there, in silence. (To set the
/// variable of a process that runs is unsafe, because another thread may read it.)
pub fn name_one() {
    if env::var_os(VARIABLE).is_some() {
        return;
    }
    let mut arguments = env::args_os();
    if let (Ok(program), Some(name)) = (env::current_exe(), arguments.next()) {
        // It returns only where it fails: then there is some noise.
        let _ = Command::new(program).arg0(name).args(arguments).env(VARIABLE, NOWHERE).exec();
    }
}
