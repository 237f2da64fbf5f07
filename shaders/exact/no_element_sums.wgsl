// Of squares alone.
alias ElementSums = u32;

fn no_element_sums() -> ElementSums {
    return 0u;
}

fn element_sums_with(
    sums: ElementSums,
    elements: vec4<Elem>,
    significands: vec4<u32>,
    places: vec4<u32>,
) -> ElementSums {
    return sums;
}

fn element_sums_flush(lane_index: u32, sums: ElementSums, position: u32) {}
