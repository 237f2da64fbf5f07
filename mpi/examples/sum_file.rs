//! The sum of a `.npy` file of f32s, cut among the ranks: `mpirun -n 4 cargo run -p gridfold-mpi --example sum_file -- FILE.npy`. It
//! prints the value and the bits that `gridfold reduce FILE.npy` prints.

use gridfold::Sum;
use gridfold_mpi::{Ranks, executor_of_rank, or_end_job};
use mpi::topology::Communicator;
use std::{
    error::Error,
    fs::File,
    io::{Read, Seek, SeekFrom},
};

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI has been initialized before")?;
    let world = universe.world();
    or_end_job(&world, || {
        let path = std::env::args().nth(1).ok_or("name a .npy file of f32s")?;
        let (rank, size) = (world.rank().unsigned_abs(), world.size().unsigned_abs());
        let values = part_of(&path, rank.into(), size.into())?;
        let ranks = Ranks::new(&world, executor_of_rank(&world));
        if let Some(sum) = ranks.reduce(0, &values, Sum)? {
            println!("{sum} ({:#010x})", sum.to_bits());
        }
        Ok(())
    });
    Ok(())
}

/// The elements of a rank's part: as many as the others have, or one more.
fn part_of(path: &str, rank: u64, size: u64) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut file = File::open(path)?;
    let mut start = [0; 10];
    file.read_exact(&mut start)?;
    if !start.starts_with(b"\x93NUMPY\x01") {
        return Err("this is no .npy file of version 1".into());
    }
    let mut header = vec![0; u16::from_le_bytes([start[8], start[9]]).into()];
    file.read_exact(&mut header)?;
    let header = String::from_utf8_lossy(&header);
    if !header.contains("'<f4'") {
        return Err("its elements are no little-endian f32s".into());
    }
    let begin = file.stream_position()?;
    let len = (file.metadata()?.len() - begin) / 4;
    let shape = header.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let sides = shape.map_or("", |(sides, _)| sides).split(',').map(str::trim);
    let sides = sides.filter(|side| !side.is_empty()).map(str::parse::<u64>);
    if len != sides.collect::<Result<Vec<_>, _>>()?.iter().product::<u64>() {
        return Err("it does not have as many elements as it says".into());
    }
    let range = len * rank / size..len * (rank + 1) / size;
    file.seek(SeekFrom::Start(begin + 4 * range.start))?;
    let mut bytes = vec![0; usize::try_from(4 * (range.end - range.start))?];
    file.read_exact(&mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}
