// Launches: what one costs, how fast blocks start, how many kernels run at once.
//   launch FOLDER                 measures
//   launch FOLDER concurrency N   measures streams with CUDA_DEVICE_MAX_CONNECTIONS=N
//   launch FOLDER kernels         only launches, for ncu to time
#include <cstring>

#include "measure.h"

__global__ void empty() {}

__global__ void add(const float* a, const float* b, float* c, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void stop_early(float* c, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = 1;
}

struct Arrays {
    const unsigned count = unsigned(portion(sizeof(float) << 28, 3) / sizeof(float));
    float *a = allocate<float>(count), *b = allocate<float>(count), *c = allocate<float>(count);
};

Samples repeated(int times, const std::function<double()>& once) {
    once();
    Samples result;
    for (int i = 0; i < times; ++i) result.push_back(once());
    return result;
}

void block_rate(const char* folder, const Arrays& arrays) {
    Csv csv(folder, "block-rate", "kernel,threads,shared_bytes,blocks");
    const auto note = [&](const std::string& where, const std::function<void()>& launch) {
        csv.row(where, "us", repeated(5, [&] { return event_ms(launch) * 1000; }));
    };
    for (int threads : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024})
        for (int blocks : {1, sm_count(), 2 * sm_count(), 1000, 10'000, 30'000, 100'000, 300'000, 1'000'000,
                           3'000'000, 10'000'000}) {
            note(settings("empty,%d,0,%d", threads, blocks), [=] { empty<<<blocks, threads>>>(); });
            if (blocks < 10'000 || blocks > 1'000'000) continue;
            note(settings("compares an index,%d,0,%d", threads, blocks),
                 [=] { stop_early<<<blocks, threads>>>(arrays.c, 0); });
            for (int shared : {1024, 16384, 40960})
                note(settings("empty,%d,%d,%d", threads, shared, blocks),
                     [=] { empty<<<blocks, threads, shared>>>(); });
        }
    for (int threads : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024})
        for (unsigned n : {1u << 16, 1u << 20, 1u << 22, 1u << 24, 1u << 26, 1u << 28}) {
            if (n > arrays.count) continue;
            const unsigned blocks = (n + threads - 1) / threads;
            note(settings("sum of two arrays,%d,0,%u", threads, blocks),
                 [=] { add<<<blocks, threads>>>(arrays.a, arrays.b, arrays.c, n); });
        }
}

// Begin and end of every block, by the clock of its SM.
__global__ void trace(int work, Span* spans) {
    const long long begin = clock64();
    if (work)
        while (clock64() - begin < work) {
        }
    if (threadIdx.x == 0) spans[blockIdx.x] = {begin, clock64(), sm_id()};
}

void block_starts(const char* folder) {
    Csv csv(folder, "block-starts", "threads,work");
    const int blocks = 40'000;
    Span* spans = allocate<Span>(blocks);
    for (int threads : {32, 64, 128, 256, 512, 1024})
        for (int work : {0, 1000, 4000}) {
            Samples filling, steady, gaps;
            for (int repeat = 0; repeat < 3; ++repeat) {
                trace<<<blocks, threads>>>(work, spans);
                CHECK(cudaGetLastError());
                std::vector<Span> all(blocks);
                CHECK(cudaMemcpy(all.data(), spans, blocks * sizeof(Span), cudaMemcpyDeviceToHost));
                if (repeat == 0) continue;
                std::map<unsigned, std::pair<std::vector<long long>, std::vector<long long>>> by_sm;
                for (const Span& span : all) {
                    by_sm[span.sm].first.push_back(span.begin);
                    by_sm[span.sm].second.push_back(span.end);
                }
                const std::size_t slots = std::min(32, 2048 / threads);
                for (auto& [sm, times] : by_sm) {
                    auto& [begins, ends] = times;
                    std::sort(begins.begin(), begins.end());
                    std::sort(ends.begin(), ends.end());
                    for (std::size_t i = 1; i < begins.size(); ++i)
                        (i < slots ? filling : steady).push_back(double(begins[i] - begins[i - 1]));
                    for (std::size_t i = slots; i < begins.size(); ++i)
                        gaps.push_back(double(begins[i] - ends[i - slots]));
                }
            }
            const auto where = settings("%d,%d", threads, work);
            csv.row(where, "cycles between starts on an SM while it fills", filling);
            csv.row(where, "cycles between starts on an SM later", steady);
            csv.row(where, "cycles from an end to the start in its place", gaps);
            double sum = 0;
            for (double s : steady) sum += s;
            csv.row(where, "mean cycles between starts on an SM later", {sum / double(steady.size())});
        }
}

void overheads(const char* folder) {
    Csv csv(folder, "launch-overhead", "what");
    const int times = 200;
    csv.row("events around nothing", "us", repeated(times, [] { return event_ms([] {}) * 1000; }));
    csv.row("events around an empty kernel of 1 x 32", "us",
            repeated(times, [] { return event_ms([] { empty<<<1, 32>>>(); }) * 1000; }));
    csv.row(settings("events around an empty kernel of %d x 1024", sm_count()), "us",
            repeated(times, [] { return event_ms([] { empty<<<sm_count(), 1024>>>(); }) * 1000; }));
    csv.row("events around two empty kernels of 1 x 32", "us", repeated(times, [] {
                return event_ms([] {
                           empty<<<1, 32>>>();
                           empty<<<1, 32>>>();
                       }) *
                       1000;
            }));
    csv.row("events around 1000 empty kernels: each", "us", repeated(20, [] {
                return event_ms([] {
                    for (int i = 0; i < 1000; ++i) empty<<<1, 32>>>();
                });
            }));
    csv.row("host: the launch call on an idle GPU", "us", repeated(times, [] {
                CHECK(cudaDeviceSynchronize());
                const double begin = now_us();
                empty<<<1, 32>>>();
                return now_us() - begin;
            }));
    csv.row("host: launch and wait", "us", repeated(times, [] {
                CHECK(cudaDeviceSynchronize());
                const double begin = now_us();
                empty<<<1, 32>>>();
                CHECK(cudaDeviceSynchronize());
                return now_us() - begin;
            }));
    csv.row("host: cudaDeviceSynchronize with nothing to wait for", "us", repeated(times, [] {
                const double begin = now_us();
                CHECK(cudaDeviceSynchronize());
                return now_us() - begin;
            }));
    csv.row("host: 1000 launches and a wait: each", "us", repeated(20, [] {
                const double begin = now_us();
                for (int i = 0; i < 1000; ++i) empty<<<1, 32>>>();
                CHECK(cudaDeviceSynchronize());
                return (now_us() - begin) / 1000;
            }));
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 200; ++i) empty<<<1, 32, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    csv.row("a graph of 200 empty kernels in a row: each", "us", repeated(20, [&] {
                CHECK(cudaDeviceSynchronize());
                const double begin = now_us();
                CHECK(cudaGraphLaunch(executable, stream));
                CHECK(cudaDeviceSynchronize());
                return (now_us() - begin) / 200;
            }));
    csv.row("host: cudaMalloc of 1 MB and cudaFree", "us", repeated(50, [] {
                const double begin = now_us();
                void* memory;
                CHECK(cudaMalloc(&memory, 1 << 20));
                CHECK(cudaFree(memory));
                return now_us() - begin;
            }));
}

struct Times {
    unsigned long long begin, end;
};
__global__ void wait_us(unsigned long long us, Times* times) {
    const unsigned long long begin = nanoseconds();
    while (nanoseconds() - begin < us * 1000) {
    }
    if (threadIdx.x == 0 && times) *times = {begin, nanoseconds()};
}

void concurrency(const char* folder, const char* connections) {
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", connections, 1);
    Csv csv(folder, "concurrency-" + std::string(connections), "connections,what,streams");
    const int most = 256, deep = 4;
    Times* times = allocate<Times>(most * deep);
    std::vector<cudaStream_t> streams(most);
    for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const auto at_once = [&](int kernels) {
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::vector<Times> all(kernels);
        CHECK(cudaMemcpy(all.data(), times, kernels * sizeof(Times), cudaMemcpyDeviceToHost));
        std::vector<std::pair<unsigned long long, int>> changes;
        for (const Times& t : all) changes.insert(changes.end(), {{t.begin, 1}, {t.end, -1}});
        std::sort(changes.begin(), changes.end());
        int running = 0, peak = 0;
        for (const auto& [time, change] : changes) peak = std::max(peak, running += change);
        return std::pair{double(peak), double(changes.back().first - changes.front().first) / 1000};
    };
    for (int count : {1, 2, 4, 8, 16, 32, 64, 100, 128, 160, 256}) {
        Samples peaks, us;
        for (int repeat = 0; repeat < 4; ++repeat) {
            for (int i = 0; i < count; ++i) wait_us<<<1, 32, 0, streams[i]>>>(2000, times + i);
            const auto [peak, time] = at_once(count);
            if (repeat == 0) continue;
            peaks.push_back(peak);
            us.push_back(time);
        }
        csv.row(settings("%s,kernels of one block and 2000 us,%d", connections, count), "at once", peaks);
        csv.row(settings("%s,kernels of one block and 2000 us,%d", connections, count), "us", us);
    }
    for (bool depth_first : {true, false})
        for (int count : {2, 4, 8, 16}) {
            Samples us;
            for (int repeat = 0; repeat < 4; ++repeat) {
                for (int k = 0; k < count * deep; ++k) {
                    const int stream = depth_first ? k / deep : k % count;
                    wait_us<<<1, 32, 0, streams[stream]>>>(200, times + k);
                }
                const auto [peak, time] = at_once(count * deep);
                if (repeat) us.push_back(time);
            }
            csv.row(settings("%s,four kernels of 200 us a stream issued %s first,%d", connections,
                             depth_first ? "depth" : "breadth", count),
                    "us", us);
        }
}

void kernels_for_ncu(const Arrays& arrays) {
    for (int repeat = 0; repeat < 3; ++repeat) {
        for (int threads : {32, 64, 128, 256, 512, 1024})
            for (int blocks : {1, sm_count(), 1000, 10'000, 100'000, 1'000'000}) empty<<<blocks, threads>>>();
        for (int threads : {64, 128, 256, 1024})
            for (unsigned n = 1u << 10; n <= arrays.count; n <<= 3)
                add<<<(n + threads - 1) / threads, threads>>>(arrays.a, arrays.b, arrays.c, n);
    }
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    const char* folder = output_folder(argc, argv);
    if (argc == 4 && !std::strcmp(argv[2], "concurrency")) {
        concurrency(folder, argv[3]);
        return 0;
    }
    Arrays arrays;
    if (argc == 3 && !std::strcmp(argv[2], "kernels")) {
        kernels_for_ncu(arrays);
        return 0;
    }
    overheads(folder);
    block_starts(folder);
    block_rate(folder, arrays);
}
