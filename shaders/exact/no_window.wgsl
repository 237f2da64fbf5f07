// In place of the window, for devices whose adder failed the start-up probe: every element is deposited
// by itself. Nothing but integers.

alias Window = u32;

fn window_start() -> Window {
    return 0u;
}

fn window_flush(lane_index: u32, window: Window) {}

fn window_add(lane_index: u32, window: Window, rows: Rows) -> Window {
    deposit_rows(lane_index, rows);
    return window;
}

fn window_retry(window: Window) -> Window {
    return window;
}
