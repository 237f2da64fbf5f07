// Device time of CUB's scans, selections, reductions of segments, and histograms: beside `cargo bench --bench scan`, `segments`.
//
//   nvcc -arch=native -O3 -std=c++17 [-I CCCL] cub_scans.cu -o cub_scans && ./cub_scans [LOG2_LENGTHS]
//
// Each time is between CUDA events before and after the call, behind a kernel of 0.1 ms, so that the GPU does not wait for the host between
// them: median of 15 after 4, in us. Before each row the GPU is busy for 0.2 s. Inputs follow one another through 2^28 elements, and start
// again. Elements have no pattern; masks select half of them; runs have 7. Bytes are random, or all equal. The segments of mixed lengths are
// those of benches/segments.rs.

#include <cub/cub.cuh>
#include <cuda/std/functional>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kWarmUps = 4, kSamples = 15;
constexpr int kLongest = 28;
constexpr size_t kDataItems = size_t{1} << kLongest;
constexpr uint32_t kRunLength = 7;
constexpr size_t kScratchBytes = size_t{3} << 30;
// About 0.1 ms: what a host enqueues within it does not find the GPU idle.
constexpr long long kOccupiedCycles = 200000;
constexpr std::chrono::milliseconds kBusy{200};

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t status = (call);                                                             \
    if (status != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                   \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

uint32_t *words, *runs, *output, *lengths, *count;
float *floats, *sums;
uint8_t *flags, *equal;
uint32_t *offsets;
void *scratch;

__host__ __device__ uint32_t mix(uint32_t number) {
  uint32_t bits = number * 0x9e3779b1u;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
  return bits ^ (bits >> 16);
}

__global__ void fill(uint32_t *words, float *floats, uint8_t *flags, uint32_t *runs, size_t len) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < len; i += size_t{gridDim.x} * blockDim.x) {
    uint32_t bits = mix(uint32_t(i));
    words[i] = bits;
    floats[i] = float(bits >> 8) / 16777216.0f;
    flags[i] = bits & 1;
    runs[i] = uint32_t(i) / kRunLength;
  }
}

__global__ void occupy(long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

// Sums all floats for a while, so that clocks go up and caches hold nothing of what comes next.
void keep_busy() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < kBusy) {
    for (int i = 0; i < 20; ++i) {
      size_t bytes = kScratchBytes;
      CHECK(cub::DeviceReduce::Sum(scratch, bytes, floats, sums, kDataItems));
    }
    CHECK(cudaDeviceSynchronize());
  }
}

// `call(scratch, bytes, at)` enqueues the work on an input that begins with element number `at`.
template <class Call>
void row(const char *what, int log2_len, Call call) {
  size_t len = size_t{1} << log2_len;
  keep_busy();
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < kWarmUps + kSamples; ++i) {
    size_t bytes = kScratchBytes;
    float milliseconds;
    occupy<<<1, 1>>>(kOccupiedCycles);
    CHECK(cudaEventRecord(begin));
    CHECK(call(scratch, bytes, i % (kDataItems / len) * len));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= kWarmUps) times.push_back(milliseconds * 1e3f);
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  std::printf("%-24s 2^%-3d %10.2f\n", what, log2_len, times[times.size() / 2]);
  std::fflush(stdout);
}

// As benches/segments.rs makes them.
std::vector<uint32_t> mixed_offsets(uint32_t len) {
  uint32_t end = len / 8;
  std::vector<uint32_t> offsets{0, end};
  while (end < len) {
    unsigned __int128 random = mix(uint32_t(offsets.size())) >> 16, power = random * random * random;
    end = uint32_t(std::min<uint64_t>(len, end + uint64_t(350 * (power * power) >> 96)));
    offsets.push_back(end);
  }
  return offsets;
}

void segments(const char *what, int log2_len, const std::vector<uint32_t> &bounds) {
  CHECK(cudaMemcpy(offsets, bounds.data(), bounds.size() * 4, cudaMemcpyHostToDevice));
  row(what, log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceSegmentedReduce::Sum(scratch, bytes, floats + at, sums, int(bounds.size() - 1), offsets, offsets + 1);
  });
}

void rows(int log2_len) {
  int len = 1 << log2_len;
  row("copy", log2_len, [&](void *, size_t &, size_t at) {
    return cudaMemcpyAsync(output, words + at, size_t(len) * 4, cudaMemcpyDeviceToDevice);
  });
  row("exclusive scan of u32", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, words + at, output, len);
  });
  row("exclusive scan of f32", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, floats + at, sums, len);
  });
  row("select", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceSelect::Flagged(scratch, bytes, words + at, flags + at, output, count, len);
  });
  row("partition", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DevicePartition::Flagged(scratch, bytes, words + at, flags + at, output, count, len);
  });
  row("unique", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceSelect::Unique(scratch, bytes, runs + at, output, count, len);
  });
  row("run lengths", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceRunLengthEncode::Encode(scratch, bytes, runs + at, output, lengths, count, len);
  });
  for (int bins : {256, 4096}) {
    row(bins == 256 ? "histogram, 256 bins" : "histogram, 4096 bins", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
      return cub::DeviceHistogram::HistogramEven(scratch, bytes, floats + at, lengths, bins + 1, 0.0f, 1.0f, len);
    });
  }
  // As many bytes as elements: those of the words, and equal ones.
  const uint8_t *random = reinterpret_cast<const uint8_t *>(words);
  row("histogram, random bytes", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, random + at, lengths, 257, 0, 256, len);
  });
  row("histogram, equal bytes", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, equal + at, lengths, 257, 0, 256, len);
  });
  row("reduce by key", log2_len, [&](void *scratch, size_t &bytes, size_t at) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, runs + at, output, floats + at, sums, count, cuda::std::plus<>{}, len);
  });
  for (int segment : {1, 16, 64, 1024}) {
    std::vector<uint32_t> bounds;
    for (uint32_t begin = 0; begin <= uint32_t(len); begin += segment) bounds.push_back(begin);
    char what[64];
    std::snprintf(what, sizeof what, "segments of %d", segment);
    segments(what, log2_len, bounds);
  }
  segments("segments, mixed", log2_len, mixed_offsets(len));
}

int main(int argc, char **arguments) {
  for (uint32_t **array : {&words, &runs, &output, &lengths}) CHECK(cudaMalloc(array, kDataItems * 4));
  for (float **array : {&floats, &sums}) CHECK(cudaMalloc(array, kDataItems * 4));
  CHECK(cudaMalloc(&offsets, (kDataItems + 1) * 4));
  for (uint8_t **array : {&flags, &equal}) CHECK(cudaMalloc(array, kDataItems));
  CHECK(cudaMemset(equal, 0x3d, kDataItems));
  CHECK(cudaMalloc(&count, 256));
  CHECK(cudaMalloc(&scratch, kScratchBytes));
  fill<<<4096, 256>>>(words, floats, flags, runs, kDataItems);
  CHECK(cudaDeviceSynchronize());
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("CUB %d.%d.%d, on %s\n%-24s %5s %10s\n", CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100,
              properties.name, "what", "items", "us");
  const char *list = argc > 1 ? arguments[1] : "16,20,24,28";
  for (const char *at = list; *at;) {
    char *end;
    long log2_len = std::strtol(at, &end, 10);
    if (end == at || log2_len < 10 || log2_len > kLongest) {
      std::fprintf(stderr, "%s: lengths are powers of two from 2^10 to 2^%d, as `20,28`\n", list, kLongest);
      return 2;
    }
    rows(int(log2_len));
    at = *end == ',' ? end + 1 : end;
  }
}
