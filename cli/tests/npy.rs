//! The `.npy` reader, on the files that fuzzing begins with and on mutations of them.

#[path = "../src/dtype.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod dtype;
#[path = "../src/npy.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod npy;
#[path = "support/npy_check.rs"]
mod npy_check;
#[path = "../src/small_float.rs"]
mod small_float;

use std::{fs, path::Path};

fn seeds() -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/npy");
    let entries = fs::read_dir(directory).expect("the seeds' directory");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

#[test]
fn seeds_are_read_as_they_should_be() {
    let accepted = seeds()
        .iter()
        .inspect(|seed| npy_check::check(seed))
        .filter(|seed| npy::Header::read(&mut &seed[..]).is_ok())
        .count();
    assert_eq!((seeds().len(), accepted), (7, 7), "of either order of bytes");
}

#[test]
fn mutated_files_are_read_as_they_should_be() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut accepted = 0;
    for seed in seeds() {
        for _ in 0..5_000 {
            let mut file = seed.clone();
            for _ in 0..random.usize(1..4) {
                let place = random.usize(..file.len());
                match random.u8(..5) {
                    0 => file[place] = random.u8(..),
                    // Often a digit of the shape, which makes another valid file.
                    1 => file[place] = b'0' + random.u8(..10),
                    2 => file.insert(place, b' '),
                    3 if file.len() > 1 => _ = file.remove(place),
                    _ => file.truncate(place.max(1)),
                }
            }
            npy_check::check(&file);
            accepted += u32::from(npy::Header::read(&mut &file[..]).is_ok());
        }
    }
    assert!((1_000..20_000).contains(&accepted), "{accepted} of 35000 were accepted");
}
