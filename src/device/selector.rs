//! Choosing an adapter by a few words: pure, on names alone.

use crate::{device::capabilities::AdapterName, error::SelectError};

/// Which of the listed adapters `selector` means: its index in the list, or a part of its
/// `backend/name/driver`, in any case of letters, that occurs in no other.
///
/// Where OpenGL offers a device that another backend offers too, only a selector that begins with `gl/`
/// means the OpenGL one.
///
/// # Errors
///
/// [`SelectError::NoMatch`] or [`SelectError::Ambiguous`].
pub fn select(adapters: &[AdapterName], selector: &str) -> Result<usize, SelectError> {
    let wanted = selector.trim().to_lowercase();
    let by_index = wanted.parse::<usize>().ok().filter(|&index| index < adapters.len());
    if let Some(index) = by_index {
        return Ok(index);
    }
    let matches: Vec<usize> = (0..adapters.len())
        .filter(|&index| {
            let name = adapters[index].to_string().to_lowercase();
            let means_gl = wanted == "gl" || wanted.starts_with("gl/");
            // A number that is no index must not match by chance; an empty selector matches nothing.
            !wanted.is_empty()
                && wanted.parse::<usize>().is_err()
                && name.contains(&wanted)
                && (means_gl || !is_offered_twice(adapters, index))
        })
        .collect();
    match matches[..] {
        [index] => Ok(index),
        [] => Err(SelectError::NoMatch {
            selector: selector.to_owned(),
            adapters: adapters.iter().map(AdapterName::to_string).collect(),
        }),
        _ => Err(SelectError::Ambiguous {
            selector: selector.to_owned(),
            matches: matches.iter().map(|&index| adapters[index].to_string()).collect(),
        }),
    }
}

/// The backend whose name a selector begins with, as wgpu spells it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn backend(selector: &str) -> Option<&'static str> {
    let wanted = selector.trim().to_lowercase();
    let name = wanted.split('/').next().unwrap_or_default();
    ["vulkan", "metal", "dx12", "gl"].into_iter().find(|&backend| backend == name)
}

/// Whether the adapter is OpenGL's and another backend has the same device. OpenGL adds words to names,
/// such as the bus, so one name need only contain the other.
fn is_offered_twice(adapters: &[AdapterName], index: usize) -> bool {
    let this = &adapters[index];
    this.backend == "gl"
        && adapters.iter().any(|other| {
            let (this, name) = (this.name.to_lowercase(), other.name.to_lowercase());
            other.backend != "gl" && (this.contains(&name) || name.contains(&this))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapters() -> Vec<AdapterName> {
        [
            ("vulkan", "NVIDIA H200", "NVIDIA 580.95"),
            ("vulkan", "llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe Mesa 22.3.6"),
            ("gl", "llvmpipe (LLVM 15.0.6, 256 bits)", "4.5 Mesa 22.3.6"),
            ("gl", "NVIDIA H200/PCIe/SSE2", "4.6"),
            ("gl", "Old Card", "3.3"),
        ]
        .map(|(backend, name, driver)| AdapterName {
            backend: backend.to_owned(),
            name: name.to_owned(),
            driver: driver.to_owned(),
        })
        .to_vec()
    }

    #[test]
    fn parts_of_names_and_indices() {
        let chosen = [
            ("0", 0),
            ("4", 4),
            ("nvidia", 0),
            ("vulkan/llvmpipe", 1),
            ("LLVMPIPE", 1),
            ("mesa", 1),
            ("gl/llvmpipe", 2),
            ("gl/nvidia", 3),
            ("old card", 4),
            ("3.3", 4),
        ];
        for (selector, index) in chosen {
            assert_eq!(select(&adapters(), selector), Ok(index), "{selector}");
        }
    }

    #[test]
    fn the_rule_of_open_gl_is_told_where_it_matters() {
        let text = |selector| select(&adapters(), selector).expect_err(selector).to_string();
        // A part of OpenGL's name alone, of a device that Vulkan has, too.
        for selector in ["4.5 Mesa", "sse2", "GL/llvmpipe/4.6"] {
            assert_eq!(
                text(selector).contains("is meant by gl/... alone"),
                selector != "GL/llvmpipe/4.6"
            );
        }
        for selector in ["5", "99", "", "metal"] {
            assert!(!text(selector).contains("gl/..."), "{}", text(selector));
        }
    }

    #[test]
    fn nothing_or_too_much() {
        for selector in ["5", "99", "", "metal", "gl/radeon"] {
            let refused = select(&adapters(), selector);
            assert!(matches!(refused, Err(SelectError::NoMatch { .. })), "{selector}: {refused:?}");
        }
        for selector in ["vulkan", "gl/", "gl", "a"] {
            let refused = select(&adapters(), selector);
            assert!(
                matches!(refused, Err(SelectError::Ambiguous { .. })),
                "{selector}: {refused:?}"
            );
        }
    }
}
