// A lane's window follows the elements: where it does not hold a group, it moves, and where no window does, cells take the
// group.

// After the second group a lane does not ask for a window before the count has gone to the pause's end, and to 0.
const MAX_FAILURES = 3u;
const PAUSE_FAILURES = 16u;

fn window_start(group: Group) -> Window {
    return window_over(range_of(group));
}

// Adds a group, which was loaded from its place.
fn window_add(lane_index: u32, old: Window, group: Group, place: Place) -> Window {
    var window = old;
    var holds = (window.failures < MAX_FAILURES)
        & (window.count < MAX_COUNT)
        & window_holds_without_zeros(window.top, group);
    if !holds {
        if window.failures < MAX_FAILURES {
            window = window_move(lane_index, window, range_of(group));
            holds = window.failures == 0u;
        }
        if !holds {
            deposit_group(lane_index, place);
            window.failures = (window.failures + 1u) % PAUSE_FAILURES;
        }
    }
    if holds {
        window = window_with(window, group);
    }
    return window;
}

// A window for a group: the same, if there are just zeros in it; or another. Without failures if it holds the
// group.
fn window_move(lane_index: u32, old: Window, range: Range) -> Window {
    if window_holds(old.top, range) & (old.count < MAX_COUNT) {
        return window_unfailing(old);
    }
    window_flush(lane_index, old);
    var window = window_over(range);
    if !window_holds(window.top, range) {
        window.failures = max(old.failures, 1u);
    }
    return window;
}
