// What four elements count for: the lower words, as the upper ones are 0.
fn items_count(items: Items) -> u32 {
    let accs = items_lift(items);
    return accs.x.x + accs.y.x + accs.z.x + accs.w.x;
}
