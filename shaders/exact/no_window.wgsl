// In place of the window, for terms that have none, and for devices whose adder failed the start-up probe: every
// element is deposited by itself. Nothing but integers.

alias Window = u32;

fn window_start(group: Group) -> Window {
    return 0u;
}

fn window_add(lane_index: u32, window: Window, group: Group, place: Place) -> Window {
    // A loop, for not every compiler bears the same code four times.
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, group_row(group, row));
    }
    return window;
}

// One of the four vectors.
fn group_row(group: Group, row: u32) -> vec4<Elem> {
    let first_two = select(group.load0, group.load1, row == 1u);
    let last_two = select(group.load2, group.load3, row == 3u);
    return select(first_two, last_two, row >= 2u);
}

fn window_flush(lane_index: u32, window: Window) {}
