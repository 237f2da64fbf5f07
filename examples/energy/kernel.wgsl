// A step of a simulation, which sums the kinetic energy of what it has just computed: no second read of memory.

struct Params {
    // 0, for the collectives.
    zero: u32,
    len: u32,
    seconds: f32,
    gravity: f32,
}

struct Particle {
    height: f32,
    velocity: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
// A workgroup's each.
@group(0) @binding(2) var<storage, read_write> energies: array<f32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn step(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    // Lanes beyond the end come along, with nothing to add.
    var energy = 0.0;
    if index < params.len {
        let velocity = particles[index].velocity + params.gravity * params.seconds;
        particles[index].velocity = velocity;
        particles[index].height += velocity * params.seconds;
        energy = 0.5 * velocity * velocity;
    }
    let total = energy_workgroup_reduce_all(energy, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        energies[workgroup.workgroup_id.x] = total;
    }
}
