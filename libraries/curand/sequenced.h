// Generators of which a fixed number of threads have a state each, in subsequences far apart. Outputs go to them in turn, a run of a few to
// each; where a call ends, the next goes on. Numbers and lengths of runs are NVIDIA's, on which the order of results depends.
#pragma once
#include "curand/draws.h"

namespace lockstep::curand {

// Where a generator stands: which run is the next, and how many of its outputs are gone.
struct Cursor {
    unsigned long long run = 0;
    int gone = 0;
};

// A thread's state after all that lies before the cursor.
template <typename State>
__global__ void start_sequences(State* states, int threads, int run_length, unsigned long long seed, Cursor cursor) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads) return;
    const int at = static_cast<int>(cursor.run % threads);
    const unsigned long long offset =
        (cursor.run / threads + (thread < at)) * run_length + (thread == at ? cursor.gone : 0);
    State state;
    curand_init(seed, thread, offset, &state);
    states[thread] = state;
}

template <typename State, typename Draw>
__global__ void generate_sequenced(State* states, int threads, int run_length, Cursor cursor, Draw draw,
                                   typename Draw::Element* out, long long count) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads) return;
    const int at = static_cast<int>(cursor.run % threads);
    const int before = thread >= at ? thread - at : thread - at + threads;
    long long place = static_cast<long long>(before) * run_length - cursor.gone;
    if (place >= count) return;
    State state = states[thread];
    for (; place < count; place += static_cast<long long>(threads) * run_length) {
        for (int i = 0; i < run_length; i += Draw::outputs) {
            if (place + i < 0 || place + i >= count) continue;
            draw(&state, out + place + i);
        }
    }
    states[thread] = state;
}

template <typename State>
class SequencedEngine : public Engine {
public:
    // A run is as many outputs as a draw makes, at least `least_run`.
    SequencedEngine(int threads, int least_run) : threads_(threads), least_run_(least_run) {}
    ~SequencedEngine() override { cudaFree(states_); }

    curandStatus_t start(unsigned long long seed, unsigned long long offset, unsigned int, cudaStream_t stream) override {
        if (states_ == nullptr && cudaMalloc(&states_, threads_ * sizeof(State)) != cudaSuccess)
            return CURAND_STATUS_ALLOCATION_FAILED;
        cursor_.run = offset / least_run_;
        cursor_.gone = static_cast<int>(offset % least_run_);
        start_sequences<<<threads_ / block, block, 0, stream>>>(states_, threads_, least_run_, seed, cursor_);
        return cudaGetLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
    }

    curandStatus_t generate(const Request& request, cudaStream_t stream) override {
        return with_draw(request, [&](auto draw) {
            using Draw = decltype(draw);
            if (request.count % Draw::outputs != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
            const int run_length = least_run_ < Draw::outputs ? Draw::outputs : least_run_;
            generate_sequenced<<<threads_ / block, block, 0, stream>>>(
                states_, threads_, run_length, cursor_, draw, static_cast<typename Draw::Element*>(request.out),
                static_cast<long long>(request.count));
            if (cudaGetLastError() != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
            const unsigned long long outputs = cursor_.gone + request.count;
            cursor_.run = (cursor_.run + outputs / run_length) % threads_;
            cursor_.gone = static_cast<int>(outputs % run_length);
            return CURAND_STATUS_SUCCESS;
        });
    }

private:
    static constexpr int block = 64;
    int threads_, least_run_;
    State* states_ = nullptr;
    Cursor cursor_;
};

}  // namespace lockstep::curand
