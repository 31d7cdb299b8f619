// Generators of which a fixed number of threads have a state each, in subsequences far apart. Outputs go to
// them in turn, a run of a few to each; where a call ends, the next goes on. Numbers and lengths of runs are
// NVIDIA's, on which the order of results depends.
#pragma once
#include "curand/draws.h"

namespace lockstep::curand {

// Where a generator stands: which run is the next, and how many of its outputs are gone.
struct Cursor {
    unsigned long long run = 0;
    int gone = 0;
};

// Threads are counted from the one that the first output goes to: `from` to `to` of them get the states that
// they have after all that lies before the cursor.
template <typename State>
__global__ void start_sequences(State* states, int from, int to, int threads, int run_length,
                                unsigned long long seed, unsigned long long seed_step, Cursor cursor) {
    const int place = from + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (place >= to) return;
    const int first = static_cast<int>(cursor.run % threads);
    const int thread = (first + place) % threads;
    const unsigned long long offset = (cursor.run / threads + (thread < first)) * run_length;
    State state;
    curand_init(seed + thread * seed_step, seed_step == 0 ? thread : 0, offset, &state);
    states[thread] = state;
}

template <typename State, typename Draw>
__global__ void generate_sequenced(State* states, int threads, int run_length, Cursor cursor, Draw draw,
                                   typename Draw::Element* out, long long count) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= threads) return;
    const int thread = (static_cast<int>(cursor.run % threads) + place) % threads;
    long long at = static_cast<long long>(place) * run_length - cursor.gone;
    if (at >= count) return;
    State state = states[thread];
    for (; at < count; at += static_cast<long long>(threads) * run_length) {
        const State before = state;
        for (int i = 0; i < run_length; i += Draw::outputs) {
            typename Draw::Element drawn[Draw::outputs];
            draw(&state, drawn);
            for (int k = 0; k < Draw::outputs; ++k)
                if (at + i + k >= 0 && at + i + k < count) out[at + i + k] = drawn[k];
        }
        // A run that is not used up is drawn again by the next call.
        if (at + run_length > count) state = before;
    }
    states[thread] = state;
}

template <typename State>
class SequencedEngine : public Engine {
  public:
    // A run is as many outputs as a draw makes, at least `least_run`.
    SequencedEngine(int threads, int legacy_threads, int least_run)
        : default_threads_(threads), legacy_threads_(legacy_threads), least_run_(least_run) {}
    ~SequencedEngine() override { cudaFree(states_); }

    curandStatus_t start(const Start& start) override {
        const int threads = start.legacy ? legacy_threads_ : default_threads_;
        if (threads != threads_) {
            cudaFree(states_);
            states_ = nullptr;
            threads_ = 0;
            if (cudaMalloc(&states_, threads * sizeof(State)) != cudaSuccess)
                return CURAND_STATUS_ALLOCATION_FAILED;
            threads_ = threads;
        }
        seed_ = start.seed;
        seed_step_ = start.seeded ? 3133713 : 0;
        cursor_.run = start.offset / least_run_;
        cursor_.gone = static_cast<int>(start.offset % least_run_);
        start_ = cursor_;
        started_ = 0;
        return CURAND_STATUS_SUCCESS;
    }

    curandStatus_t generate(const Request& request, cudaStream_t stream) override {
        return with_draw(request, poisson_, [&](auto draw) {
            using Draw = decltype(draw);
            const int run_length = least_run_ < Draw::outputs ? Draw::outputs : least_run_;
            // Runs that all kinds of outputs share can be left in the middle; pairs cannot.
            if (run_length != least_run_ && request.count % run_length != 0)
                return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
            const unsigned long long outputs = cursor_.gone + request.count;
            const unsigned long long runs = (outputs + run_length - 1) / run_length;
            const int taking_part = least(runs);
            // States are made when they are first needed, since most programs need few of them.
            const int needed = least(cursor_.run - start_.run + runs);
            if (needed > started_) {
                start_sequences<<<blocks(needed - started_), block, 0, stream>>>(
                    states_, started_, needed, threads_, least_run_, seed_, seed_step_, start_);
                started_ = needed;
            }
            generate_sequenced<<<blocks(taking_part), block, 0, stream>>>(
                states_, threads_, run_length, cursor_, draw,
                static_cast<typename Draw::Element*>(request.out), static_cast<long long>(request.count));
            cursor_.run += outputs / run_length;
            cursor_.gone = static_cast<int>(outputs % run_length);
            return cudaGetLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
        });
    }

  private:
    static constexpr int block = 64;
    static int blocks(int threads) { return (threads + block - 1) / block; }
    int least(unsigned long long runs) const {
        return runs < static_cast<unsigned long long>(threads_) ? static_cast<int>(runs) : threads_;
    }

    int default_threads_, legacy_threads_, least_run_;
    int threads_ = 0;
    State* states_ = nullptr;
    unsigned long long seed_ = 0, seed_step_ = 0;
    Cursor start_, cursor_;
    int started_ = 0;  // states, of the threads from the first on
    PoissonTables poisson_;
};

}  // namespace lockstep::curand
