//! What is read from DXIL. The lines are DXC's.

use shader_checks::struct_copies::{WHOLE, by_members, is_right, verdict};

fn store(value: &str) -> String {
    format!(
        "  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %1, i32 0, i32 undef, {value}, i32 undef, i32 undef, \
         i32 undef, i8 1)  ; BufferStore(uav,coord0,coord1,value0,value1,value2,value3,mask)\n"
    )
}

fn dxil(components: &[u32], value: &str) -> String {
    let mut text = "define void @main() {\n".to_owned();
    for component in components {
        text.push_str(&format!(
            "  %{} = call i32 @dx.op.threadId.i32(i32 93, i32 {component})  ; ThreadId(component)\n",
            component + 2
        ));
    }
    text + &store(value)
        + "  ret void\n}\ndeclare i32 @dx.op.threadId.i32(i32, i32) #0\n\
           declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8) #1\n"
}

#[test]
fn what_is_stored() {
    assert_eq!(is_right(&dxil(&[0, 1], "i32 %5")), Ok(true));
    assert_eq!(is_right(&dxil(&[], "i32 18")), Ok(false));
    // It forgets all of it, or a part.
    assert_eq!(is_right(&dxil(&[0, 1], "i32 18")), Ok(false));
    assert_eq!(is_right(&dxil(&[], "i32 %5")), Ok(false));
    assert_eq!(is_right(&dxil(&[0], "i32 %5")), Ok(false));
    assert_eq!(is_right(&dxil(&[1], "i32 %5")), Ok(false));
    // Something else.
    for other in ["", "  call void @dx.op.bufferStore.i32(i32 69)", &store("i32 18").repeat(2)] {
        assert!(is_right(other).is_err(), "{other}");
    }
}

#[test]
fn verdicts() {
    let [right, wrong] = [dxil(&[0, 1], "i32 %5"), dxil(&[], "i32 18")];
    let verdict = |whole, members| verdict(whole, members);
    assert!(verdict(&right, &right).is_ok_and(|verdict| verdict.contains("correctly")));
    assert!(verdict(&wrong, &right).is_ok_and(|verdict| verdict.contains("still miscompiled")));
    assert!(verdict(&wrong, &wrong).is_err());
    assert!(verdict("", &right).is_err());
}

#[test]
fn the_control_is_another_shader() {
    assert_ne!(by_members(), WHOLE);
}
