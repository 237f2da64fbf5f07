fn block_care(job: Params, rounds: Rounds, log2_teams: u32, takes_all: bool, lane_index: u32) {}
