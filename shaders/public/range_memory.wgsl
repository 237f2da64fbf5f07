// Whether any lane's value is out of range: 1, or 0.
var<workgroup> out_of_range: atomic<u32>;

// Waits for all lanes, and is the same for all of them.
fn any_is_out_of_range() -> bool {
    return workgroupUniformLoad(&out_of_range) != 0u;
}
