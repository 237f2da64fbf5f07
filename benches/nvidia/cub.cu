// Device time of CUB's reductions, as lines of JSON. README.md beside this file says what is in them and how each time is
// measured; `cargo xtask nvidia` compiles and runs it.
//
//   nvcc -arch=native -O3 -std=c++17 -I CCCL cub.cu -o cub && ./cub [LOG2_LENGTHS]
//
// where CCCL is a directory with the headers of CCCL 3 or later, and LOG2_LENGTHS are numbers with commas between them.

#include <cub/cub.cuh>

#if __has_include(<cuda/execution>)
#include <cuda/execution>
#include <cuda/std/functional>
#define HAS_DETERMINISM 1
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status = (call);                                                 \
    if (status != cudaSuccess) {                                                 \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));       \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

using Clock = std::chrono::steady_clock;

constexpr size_t kDataItems = size_t{1} << 30;
constexpr size_t kCopyItems = size_t{1} << 28;
constexpr size_t kScratchBytes = size_t{64} << 20;
constexpr int kLongest = 30;
// Of sums of squares, as gridfold's.
constexpr int kLongestOfTwo = 28;
// Of rows that only tell operators and element types apart; elements of other sizes go up to 2^28.
constexpr int kFew[] = {20, 24, 28};
constexpr int kWarmUps = 3;
constexpr int kSamples = 21;
constexpr int kBatch = 20;
constexpr int kBatchSamples = 5;
constexpr int kHostWarmUps = 20;
constexpr int kHostSamples = 200;
// About 0.1 ms: what a host enqueues within it does not find the GPU idle.
constexpr long long kOccupiedCycles = 200000;
constexpr std::chrono::milliseconds kBusy{200};

float *data;
void *scratch;
void *output;

// The element of a number: benches/common/mod.rs has the same function.
__device__ float element(uint32_t number) {
  uint32_t bits = number * 0x9e3779b1u;
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
  bits ^= bits >> 16;
  return float(bits >> 8) / 16777216.0f;
}

__global__ void fill(float *elements, size_t items) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < items;
       i += size_t(gridDim.x) * blockDim.x)
    elements[i] = element(uint32_t(i));
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

__global__ void occupy(long long cycles) {
  long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Timer {
  cudaEvent_t begin, end;
  Timer() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  Timer(const Timer &) = delete;
  ~Timer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  // In microseconds.
  template <class Work>
  float time(cudaStream_t stream, Work &&work) {
    CHECK(cudaEventRecord(begin, stream));
    work();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms * 1e3f;
  }
};

// Sums all of the data for a while, so that clocks go up and caches hold nothing of what comes next.
void keep_busy() {
  Clock::time_point begin = Clock::now();
  while (Clock::now() - begin < kBusy) {
    for (int i = 0; i < 20; ++i) {
      size_t bytes = kScratchBytes;
      CHECK(cub::DeviceReduce::Sum(scratch, bytes, data, (float *)output, kDataItems));
    }
    CHECK(cudaDeviceSynchronize());
  }
}

// Inputs of a length follow one another through the data, and start again.
template <class T>
const T *input(size_t len, size_t number) {
  size_t items = kDataItems * sizeof(float) / sizeof(T);
  return reinterpret_cast<const T *>(data) + number % (items / len) * len;
}

// `reduce(input, output, len, stream)` enqueues a reduction.
// A result that gridfold tells in another form, or that has more bits than a double, is not compared.
template <class T, class Reduce, class Out = T>
void row(const char *op, const char *type, const char *mode, int log2_len, Reduce &&reduce, bool compares = true) {
  size_t len = size_t{1} << log2_len, number = 0;
  Out *result = (Out *)output;
  auto next = [&](cudaStream_t stream) { reduce(input<T>(len, number++), result, len, stream); };
  reduce(input<T>(len, 0), result, len, cudaStream_t{});
  Out value;
  CHECK(cudaMemcpy(&value, result, sizeof(Out), cudaMemcpyDeviceToHost));
  keep_busy();

  Timer timer;
  std::vector<float> single, queued, batch;
  for (int i = 0; i < kWarmUps; ++i) next(cudaStream_t{});
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kSamples; ++i)
    single.push_back(timer.time(cudaStream_t{}, [&] { next(cudaStream_t{}); }));
  for (int i = 0; i < kSamples; ++i) {
    occupy<<<1, 1>>>(kOccupiedCycles);
    queued.push_back(timer.time(cudaStream_t{}, [&] { next(cudaStream_t{}); }));
  }
  for (int i = 0; i < kBatchSamples; ++i) {
    auto all = [&] { for (int k = 0; k < kBatch; ++k) next(cudaStream_t{}); };
    batch.push_back(timer.time(cudaStream_t{}, all) / kBatch);
  }
  std::printf("{\"program\":\"cub\",\"op\":\"%s\",\"type\":\"%s\",\"mode\":\"%s\",\"log2_len\":%d,"
              "\"us\":%.3f,\"us_queued\":%.3f,\"us_batch\":%.3f",
              op, type, mode, log2_len, median(single), median(queued), median(batch));
  if (compares) std::printf(",\"value\":%.17g", double(value));
  std::printf("}\n");
  std::fflush(stdout);
}

// Places are 64 bits, as gridfold's are.
void places_row(int log2_len) {
  int64_t *place = (int64_t *)output + 1;
  auto arg_max = [&](const float *in, float *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::ArgMax(scratch, bytes, in, out, place, int64_t(len), stream));
  };
  row<float>("arg_max", "f32", "run_to_run", log2_len, arg_max, false);
}

// 20 reductions in a row, captured in a graph: CUDA's counterpart of recorded commands.
template <class T, class Reduce>
void graph_row(const char *op, const char *type, const char *mode, int log2_len, Reduce &&reduce) {
  size_t len = size_t{1} << log2_len, number = 0;
  T *result = (T *)output;
  keep_busy();
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::vector<float> times;
  {
    Timer timer;
    for (int i = 0; i < kBatchSamples; ++i) {
      cudaGraph_t graph;
      cudaGraphExec_t executable;
      CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      for (int k = 0; k < kBatch; ++k) reduce(input<T>(len, number++), result, len, stream);
      CHECK(cudaStreamEndCapture(stream, &graph));
      CHECK(cudaGraphInstantiate(&executable, graph, 0));
      CHECK(cudaGraphUpload(executable, stream));
      CHECK(cudaStreamSynchronize(stream));
      times.push_back(
          timer.time(stream, [&] { CHECK(cudaGraphLaunch(executable, stream)); }) / kBatch);
      CHECK(cudaGraphExecDestroy(executable));
      CHECK(cudaGraphDestroy(graph));
    }
  }
  CHECK(cudaStreamDestroy(stream));
  std::printf("{\"program\":\"cub\",\"op\":\"%s\",\"type\":\"%s\",\"mode\":\"%s\",\"log2_len\":%d,"
              "\"us_batch\":%.3f}\n",
              op, type, mode, log2_len, median(times));
  std::fflush(stdout);
}

// By the clock on the wall, from the call until the value is on the host.
void host_row(int log2_len) {
  size_t len = size_t{1} << log2_len;
  keep_busy();
  std::vector<double> times;
  for (int i = 0; i < kHostWarmUps + kHostSamples; ++i) {
    Clock::time_point begin = Clock::now();
    size_t bytes = kScratchBytes;
    float value;
    CHECK(cub::DeviceReduce::Sum(scratch, bytes, input<float>(len, i), (float *)output, len));
    CHECK(cudaMemcpy(&value, output, sizeof(value), cudaMemcpyDeviceToHost));
    std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    if (i >= kHostWarmUps) times.push_back(time.count());
  }
  std::printf("{\"program\":\"cub\",\"op\":\"sum\",\"type\":\"f32\",\"mode\":\"run_to_run\","
              "\"log2_len\":%d,\"us_host\":%.3f}\n",
              log2_len, median(times));
  std::fflush(stdout);
}

void copy_row() {
  float *copy;
  if (cudaMalloc(&copy, kCopyItems * 4) != cudaSuccess) {
    cudaGetLastError();
    std::printf("{\"program\":\"cub\",\"skipped\":\"the copy: there is no memory for another GiB\"}\n");
    return;
  }
  keep_busy();
  Timer timer;
  std::vector<float> times;
  for (int i = 0; i < kWarmUps + kSamples; ++i) {
    const float *source = input<float>(kCopyItems, i);
    float us = timer.time(cudaStream_t{}, [&] {
      CHECK(cudaMemcpyAsync(copy, source, kCopyItems * 4, cudaMemcpyDeviceToDevice));
    });
    if (i >= kWarmUps) times.push_back(us);
  }
  CHECK(cudaFree(copy));
  std::printf("{\"program\":\"cub\",\"copy_gb_per_s\":%.1f}\n",
              kCopyItems * 8 / median(times) / 1e3);
  std::fflush(stdout);
}

void rows(int log2_len) {
  auto sum = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Sum(scratch, bytes, in, out, len, stream));
  };
  auto max = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Max(scratch, bytes, in, out, len, stream));
  };
  auto min = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Min(scratch, bytes, in, out, len, stream));
  };
  row<float>("sum", "f32", "run_to_run", log2_len, sum);
  graph_row<float>("sum", "f32", "run_to_run, graph", log2_len, sum);
  row<uint32_t>("sum", "u32", "run_to_run", log2_len, sum);
  graph_row<uint32_t>("sum", "u32", "run_to_run, graph", log2_len, sum);
  row<float>("max", "f32", "run_to_run", log2_len, max);
  graph_row<float>("max", "f32", "run_to_run, graph", log2_len, max);
  row<int32_t>("min", "i32", "run_to_run", log2_len, min);
  graph_row<int32_t>("min", "i32", "run_to_run, graph", log2_len, min);
  row<uint32_t>("max", "u32", "run_to_run", log2_len, max);
  graph_row<uint32_t>("max", "u32", "run_to_run, graph", log2_len, max);
#ifdef HAS_DETERMINISM
  // These allocate scratch memory in each call, from the device's pool, on the default stream.
  row<float>("sum", "f32", "gpu_to_gpu", log2_len,
             [](const float *in, float *out, size_t len, cudaStream_t) {
               auto level = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
               CHECK(cub::DeviceReduce::Sum(in, out, len, level));
             },
             // Of 2^30 elements CUB 3.5 makes 553702592 where all others make 536863680.
             log2_len < 30);
  row<float>("sum", "f32", "not_guaranteed", log2_len,
             [](const float *in, float *out, size_t len, cudaStream_t) {
               auto level = cuda::execution::require(cuda::execution::determinism::not_guaranteed);
               CHECK(cub::DeviceReduce::Sum(in, out, len, level));
             });
  if (log2_len <= kLongestOfTwo) {
    row<float>("sum of squares", "f32", "run_to_run", log2_len,
               [](const float *in, float *out, size_t len, cudaStream_t stream) {
                 size_t bytes = kScratchBytes;
                 CHECK(cub::DeviceReduce::TransformReduce(scratch, bytes, in, out, len, cuda::std::plus<>{}, Square{},
                                                          0.0f, stream));
               });
  }
#endif
}

void few_rows(int log2_len) {
  auto sum = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Sum(scratch, bytes, in, out, len, stream));
  };
  auto max = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Max(scratch, bytes, in, out, len, stream));
  };
  auto min = [](auto *in, auto *out, size_t len, cudaStream_t stream) {
    size_t bytes = kScratchBytes;
    CHECK(cub::DeviceReduce::Min(scratch, bytes, in, out, len, stream));
  };
  row<float>("min", "f32", "run_to_run", log2_len, min);
  row<int32_t>("sum", "i32", "run_to_run", log2_len, sum, false);
  row<double>("sum", "f64", "run_to_run", log2_len, sum);
  row<uint64_t>("sum", "u64", "run_to_run", log2_len, sum, false);
  row<uint8_t>("max", "u8", "run_to_run", log2_len, max, false);
  row<int16_t>("max", "i16", "run_to_run", log2_len, max, false);
  places_row(log2_len);
}

int main(int count, char **arguments) {
  std::vector<int> logs;
  const char *list = count > 1 ? arguments[1] : "10,12,14,16,18,20,22,24,25,26,28,29,30";
  for (const char *at = list; *at;) {
    char *end;
    long log2_len = std::strtol(at, &end, 10);
    if (end == at || log2_len < 0 || log2_len > kLongest) {
      std::fprintf(stderr, "%s: lengths are powers of two up to 2^%d, as `10,20`\n", list, kLongest);
      return 2;
    }
    logs.push_back(int(log2_len));
    at = *end == ',' ? end + 1 : end;
  }

  int device, driver, runtime;
  cudaDeviceProp properties;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&properties, device));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("{\"program\":\"cub\",\"version\":\"CUB %d.%d.%d, CUDA %d.%d, driver for CUDA %d.%d\","
              "\"device\":\"%s\"}\n",
              CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100, runtime / 1000,
              runtime % 1000 / 10, driver / 1000, driver % 1000 / 10, properties.name);
#ifndef HAS_DETERMINISM
  std::printf("{\"program\":\"cub\",\"skipped\":\"gpu_to_gpu, not_guaranteed and sums of squares: these headers have "
              "no cuda/execution; CCCL 3 or later has\"}\n");
#endif
  // Else the pool gives its memory back at each synchronization, and a call allocates anew.
  cudaMemPool_t pool;
  uint64_t all = UINT64_MAX;
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess)
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  else
    cudaGetLastError();

  CHECK(cudaMalloc(&data, kDataItems * 4));
  CHECK(cudaMalloc(&scratch, kScratchBytes));
  CHECK(cudaMalloc(&output, 256));
  fill<<<4096, 256>>>(data, kDataItems);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  copy_row();
  for (int log2_len : logs) rows(log2_len);
  for (int log2_len : logs)
    if (std::find(std::begin(kFew), std::end(kFew), log2_len) != std::end(kFew)) few_rows(log2_len);
  for (int log2_len : logs)
    if (log2_len == 10 || log2_len == 20 || log2_len == 24) host_row(log2_len);
}
