// Adds a group without a window. It is loaded once more, so that it takes no registers for the few times
// that it comes here; and the loop keeps the code short.
fn deposit_group(lane_index: u32, place: Place) {
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, vector_load(place, row));
    }
}
