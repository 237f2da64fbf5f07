// Nobody reads here what another workgroup of the same dispatch has written.
@group(0) @binding(3) var<storage, read_write> scratch: Scratch;
