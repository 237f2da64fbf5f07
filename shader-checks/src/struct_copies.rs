//! Whether DXC still takes a copy of a struct for its source: the error that [`copies`](crate::copies) is about. The
//! DXIL that it makes of a small shader tells.

/// The shader, which copies the struct whole.
pub const WHOLE: &str = include_str!("../tools/dxc/struct_copy.hlsl");

/// What the thread's place is called in DXIL, and what stores the result.
const THREAD_ID: &str = "call i32 @dx.op.threadId.i32(";
const STORE: &str = "call void @dx.op.bufferStore.i32(";

/// The same, member by member, which every DXC has compiled correctly so far.
pub fn by_members() -> String {
    let (whole, members) = ("S old = next;", "S old; old.a = next.a; old.b = next.b;");
    assert!(WHOLE.contains(whole), "there is no `{whole}`");
    WHOLE.replace(whole, members)
}

/// Whether what the shader stores depends on the thread's place, as it must, in DXIL as text.
///
/// # Errors
///
/// A sentence, if this is not what DXC makes of such a shader.
pub fn is_right(dxil: &str) -> Result<bool, String> {
    let stores: Vec<&str> =
        dxil.lines().filter_map(|line| line.split_once(STORE)).map(|(_, rest)| rest).collect();
    let [store] = stores[..] else {
        return Err(format!("{} stores in DXIL: {dxil}", stores.len()));
    };
    // The operation's number, the buffer, two coordinates, the value.
    let value =
        store.split(", ").nth(4).ok_or_else(|| format!("a store without a value: {store}"))?;
    // A number that is not constant. Nothing but the thread's place can make it so.
    let varies = value.starts_with("i32 %");
    // Its components: x and y.
    let reads = |component: u32| {
        dxil.lines()
            .filter_map(|line| line.split_once(THREAD_ID))
            .any(|(_, operands)| operands.starts_with(&format!("i32 93, i32 {component})")))
    };
    Ok(varies && reads(0) && reads(1))
}

/// What the record says of a DXC.
///
/// # Errors
///
/// A sentence, if the copy member by member is wrong, too: then this looks at the wrong thing.
pub fn verdict(dxil_of_whole: &str, dxil_of_members: &str) -> Result<&'static str, String> {
    if !is_right(dxil_of_members)? {
        return Err(format!(
            "DXC forgets a struct that is copied member by member: {dxil_of_members}"
        ));
    }
    Ok(if is_right(dxil_of_whole)? {
        "struct copies: compiled correctly"
    } else {
        "struct copies: still miscompiled (a copy is taken for its source)"
    })
}
