//! wgpu's errors as values: what is created here never reaches the caller's error scopes or the
//! device's uncaptured-error handler.

/// Runs `create` and returns the first error that wgpu raised meanwhile.
///
/// On the web errors arrive later, so there they are left to the caller's scopes and handlers.
pub(crate) fn capture<R>(
    device: &wgpu::Device,
    create: impl FnOnce() -> R,
) -> Result<R, wgpu::Error> {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = device;
        Ok(create())
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes =
            [Internal, OutOfMemory, Validation].map(|filter| device.push_error_scope(filter));
        let created = create();
        // Scopes form a stack: the last one first.
        let mut first = None;
        for scope in scopes.into_iter().rev() {
            let error = pollster::block_on(scope.pop());
            first = first.or(error);
        }
        first.map_or(Ok(created), Err)
    }
}
