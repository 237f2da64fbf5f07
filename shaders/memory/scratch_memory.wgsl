// No workgroup reads here what another one of the same dispatch has written.
@group(0) @binding(3) var<storage, read_write> scratch: Scratch;
