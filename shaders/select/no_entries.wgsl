// A single pass has one launch: nothing is handed to it, and it hands nothing on. In the place of what other passes have in memory there are zeros.
var<private> entries: array<vec4<u32>, 1>;
