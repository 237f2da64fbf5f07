// Four rows' elements of a lane, as they are loaded together.
struct Rows {
    row0: vec4<Elem>,
    row1: vec4<Elem>,
    row2: vec4<Elem>,
    row3: vec4<Elem>,
}

// Of whole rows; `at` is the lane's first position.
fn rows_load(at: u32) -> Rows {
    let index = at + params.base;
    return Rows(
        load4(index),
        load4(index + ROW_ITEMS),
        load4(index + 2u * ROW_ITEMS),
        load4(index + 3u * ROW_ITEMS),
    );
}
