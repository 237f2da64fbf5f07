// Workgroups read what others of the same dispatch have written: `coherent` makes it come to them.
@group(0) @binding(3) @coherent var<storage, read_write> scratch: Scratch;
