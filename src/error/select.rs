//! Errors about the choice of an adapter.

/// No adapter fits a selector, or it can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// No adapter's `backend/name/driver` contains the selector.
    #[error(
        "no adapter matches \"{selector}\": choose one of {}{}",
        list(.adapters),
        of_open_gl(.selector, .adapters)
    )]
    NoMatch {
        /// What was asked for.
        selector: String,
        /// The adapters there are, as `backend/name/driver`.
        adapters: Vec<String>,
    },
    /// Several adapters contain the selector.
    #[error(
        "\"{selector}\" matches several adapters, say more of one or give its index: {}",
        .matches.join(", ")
    )]
    Ambiguous {
        /// What was asked for.
        selector: String,
        /// The adapters that match, as `backend/name/driver`.
        matches: Vec<String>,
    },
    /// The adapter has no compute shaders or can't be opened.
    #[error(
        "the adapter {adapter} can't be used ({message}): choose another, \"cpu\", or install a newer \
         driver"
    )]
    Unusable {
        /// The adapter, as `backend/name/driver`.
        adapter: String,
        /// What it lacks, or what wgpu said.
        message: String,
    },
}

/// How an adapter of OpenGL's is chosen that the selector is a part of.
fn of_open_gl(selector: &str, adapters: &[String]) -> &'static str {
    let wanted = selector.trim().to_lowercase();
    let is_meant = |name: &String| name.starts_with("gl/") && name.to_lowercase().contains(&wanted);
    let is_number = wanted.parse::<usize>().is_ok();
    match !wanted.is_empty() && !is_number && adapters.iter().any(is_meant) {
        true => {
            "; OpenGL's adapter of a device that another backend has, too, is meant by gl/... alone"
        }
        false => "",
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "\"cpu\", or install a Vulkan, Metal or DX12 driver, as there is none".to_owned()
    } else {
        format!("{}, or \"cpu\"", names.join(", "))
    }
}
