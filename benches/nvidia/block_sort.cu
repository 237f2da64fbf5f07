// Device time of CUB's sort of 4096 u32 keys by a block, cub::BlockRadixSort: beside `cargo bench --bench collectives`.
//
//   nvcc -arch=native -O3 -std=c++17 [-I CCCL] block_sort.cu -o block_sort && ./block_sort
//
// 256 threads have 16 keys each. One block sorts alone, and 4096 blocks sort at once. Keys are those of the bench, the bits of floats
// without a pattern. Loads and stores are striped, as there: before a sort of keys alone their order does not matter. Each time is between
// CUDA events: median of 31 after 3, in us. Results are compared with the CPU's. Lines are as README.md says; log2_len is of all keys.

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kWarmUps = 3, kSamples = 31;
constexpr int kThreads = 256, kItems = 16;
constexpr int kBlockKeys = kThreads * kItems;
constexpr int kBlocks = 4096;

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                   \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

uint32_t mix(uint32_t number) {
  uint32_t bits = number * 0x9e3779b1u;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
  return bits ^ (bits >> 16);
}

// As benches/common makes them.
uint32_t key(uint32_t number) {
  union {
    float value;
    uint32_t bits;
  } uniform;
  uniform.value = float(mix(number) >> 8) / 16777216.0f;
  return uniform.bits;
}

__global__ void __launch_bounds__(kThreads) sort(const uint32_t *keys, uint32_t *sorted) {
  using Sort = cub::BlockRadixSort<uint32_t, kThreads, kItems>;
  __shared__ typename Sort::TempStorage scratch;
  const uint32_t first = blockIdx.x * kBlockKeys + threadIdx.x;
  uint32_t items[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) items[i] = keys[first + i * kThreads];
  Sort(scratch).SortBlockedToStriped(items);
#pragma unroll
  for (int i = 0; i < kItems; ++i) sorted[first + i * kThreads] = items[i];
}

int main() {
  std::vector<uint32_t> host(size_t{kBlocks} * kBlockKeys);
  for (size_t i = 0; i < host.size(); ++i) host[i] = key(uint32_t(i));
  uint32_t *keys, *sorted;
  CHECK(cudaMalloc(&keys, host.size() * 4));
  CHECK(cudaMalloc(&sorted, host.size() * 4));
  CHECK(cudaMemcpy(keys, host.data(), host.size() * 4, cudaMemcpyHostToDevice));

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\"program\":\"cub\",\"version\":\"CUB %d.%d.%d, sorts of blocks\",\"device\":\"%s\"}\n", CUB_VERSION / 100000,
              CUB_VERSION / 100 % 1000, CUB_VERSION % 100, properties.name);

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int blocks : {1, kBlocks}) {
    std::vector<float> times;
    for (int i = 0; i < kWarmUps + kSamples; ++i) {
      // Many blocks wake an idle GPU before the events.
      sort<<<kBlocks, kThreads>>>(keys, sorted);
      CHECK(cudaEventRecord(begin));
      sort<<<blocks, kThreads>>>(keys, sorted);
      CHECK(cudaGetLastError());
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float milliseconds;
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      if (i >= kWarmUps) times.push_back(milliseconds * 1e3f);
    }
    std::sort(times.begin(), times.end());
    int log2_len = 0;
    while ((1ll << log2_len) < 1ll * blocks * kBlockKeys) ++log2_len;
    std::printf("{\"program\":\"cub\",\"op\":\"sort of blocks of 4096\",\"type\":\"u32\",\"mode\":\"\",\"log2_len\":%d,\"us\":%.3f}\n",
                log2_len, times[times.size() / 2]);
    std::fflush(stdout);
  }

  std::vector<uint32_t> found(host.size());
  CHECK(cudaMemcpy(found.data(), sorted, found.size() * 4, cudaMemcpyDeviceToHost));
  for (int block = 0; block < kBlocks; ++block) {
    auto first = host.begin() + size_t{kBlockKeys} * size_t(block);
    std::sort(first, first + kBlockKeys);
  }
  if (found != host) {
    std::fprintf(stderr, "the keys are not in order\n");
    return 1;
  }
}
