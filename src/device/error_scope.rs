//! wgpu's errors as values: what is created here never reaches the caller's error scopes or the
//! device's uncaptured-error handler.

use crate::error::{CreateError, Error, PrepareError};

/// What wgpu did not do, and why.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    pub(crate) reason: Reason,
}

#[derive(Debug)]
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "errors arrive later there"))]
pub(crate) enum Reason {
    DeviceLost,
    OutOfMemory,
    /// Anything else, in wgpu's words.
    Other(String),
}

impl From<Refusal> for PrepareError {
    fn from(Refusal { what, reason }: Refusal) -> Self {
        match reason {
            Reason::DeviceLost => Self::DeviceLost,
            Reason::OutOfMemory => Self::OutOfMemory { what },
            Reason::Other(message) => Self::Refused { what, message },
        }
    }
}

impl From<Refusal> for CreateError {
    fn from(Refusal { what, reason }: Refusal) -> Self {
        match reason {
            Reason::DeviceLost => Self::DeviceLost,
            Reason::OutOfMemory => Self::OutOfMemory { what },
            Reason::Other(message) => Self::Refused { what, message },
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        PrepareError::from(refusal).into()
    }
}

/// Runs `create` and returns the first error that wgpu raised meanwhile. A lost device raises none, and
/// gives out objects that can't be used: see [`ensure_not_lost`].
///
/// On the web errors arrive later, so there they are left to the caller's scopes and handlers.
pub(crate) fn capture<R>(
    device: &wgpu::Device,
    what: &str,
    create: impl FnOnce() -> R,
) -> Result<R, Refusal> {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = (device, what);
        Ok(create())
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let (created, error) = in_scopes(device, create);
        let Some(error) = error else {
            return Ok(created);
        };
        let reason = match error {
            // What fails on a lost device fails for many reasons, of which this is the first.
            _ if is_lost(device) => Reason::DeviceLost,
            wgpu::Error::OutOfMemory { .. } => Reason::OutOfMemory,
            wgpu::Error::Internal { source, description } => {
                log::debug!("{what}: {description}");
                Reason::Other(first_error(&innermost(&*source).to_string()))
            }
            error => Reason::Other(error.to_string()),
        };
        Err(Refusal { what: what.to_owned(), reason })
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn innermost<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> &'e (dyn std::error::Error + 'static) {
    error.source().map_or(error, innermost)
}

/// The line of the first error among what a compiler says, which may be hundreds of lines of warnings; without one, the first line.
#[cfg(not(target_arch = "wasm32"))]
fn first_error(said: &str) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines.clone().find(|line| line.contains(": error"));
    error.or_else(|| lines.next()).unwrap_or_default().to_owned()
}

/// Fails on a lost device. To be asked at the end of what allocates or submits: wgpu raises no error
/// on a lost device, because the device-lost callback tells, and that is the caller's.
pub(crate) fn ensure_not_lost(device: &wgpu::Device, what: &str) -> Result<(), Refusal> {
    if is_lost(device) {
        return Err(Refusal { what: what.to_owned(), reason: Reason::DeviceLost });
    }
    Ok(())
}

/// Whether the device is lost or destroyed. Always `false` on the web.
///
/// wgpu tells of a lost device by a callback, which is the application's. But it checks for one before anything else:
/// a buffer without usages is an error on a sound device, and none on a lost one. Takes about 1 µs.
pub(crate) fn is_lost(device: &wgpu::Device) -> bool {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = device;
        false
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let (_, error) = in_scopes(device, || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("gridfold is the device lost?"),
                size: 0,
                usage: wgpu::BufferUsages::empty(),
                mapped_at_creation: false,
            })
        });
        error.is_none()
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn in_scopes<R>(device: &wgpu::Device, create: impl FnOnce() -> R) -> (R, Option<wgpu::Error>) {
    use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
    // Scopes form a stack, so the last one is the first to be asked: an object that there was no memory
    // for fails validation as soon as it is used.
    let scopes = [Validation, Internal, OutOfMemory].map(|filter| device.push_error_scope(filter));
    let created = create();
    let mut first = None;
    for scope in scopes.into_iter().rev() {
        let error = pollster::block_on(scope.pop());
        first = first.or(error);
    }
    (created, first)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn compilers_say_what_they_refuse_first() {
        // Of FXC: wgpu's own line before is about an error, too.
        let fxc = "Internal error: FXC D3DCompile error (Unspecified error (0x80004005)): gridfold(12,3-9): warning X3557: loop only \
                   executes for 1 iteration(s)\ngridfold(602,13-45): error X3663: thread sync operation found in varying flow \
                   control\ngridfold(602,13-45): error X4026: thread sync operation must be in non-varying flow control\n\n";
        let first =
            "gridfold(602,13-45): error X3663: thread sync operation found in varying flow control";
        assert_eq!(first_error(fxc), first);
        let dxc = "Internal error: DXC compile error: main.hlsl:7:5: error: unknown type name 'T'\n    T x;\n    ^\n";
        assert_eq!(first_error(dxc), dxc.lines().next().expect("the first"));
        assert_eq!(
            first_error("\nInternal error: no reason\nnor more\n"),
            "Internal error: no reason"
        );
        assert_eq!(first_error(""), "");
    }

    #[test]
    fn the_innermost_error() {
        let inner = PrepareError::DeviceLost;
        let told = inner.to_string();
        let outer = Outer(Outer(inner));
        assert_eq!(outer.to_string(), "outer");
        assert_eq!(innermost(&outer).to_string(), told);
    }

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer<E: std::error::Error + 'static>(#[source] E);
}
