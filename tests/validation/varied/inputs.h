// Inputs in device memory: numbers that look random and are the same in every run.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

inline uint32_t next_number(uint32_t& state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

template <class T>
T* in_device(const std::vector<T>& values) {
    T* memory = nullptr;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

// `count` reals from `least` to `most`
template <class T = float>
T* reals(int count, double least = 0, double most = 1) {
    uint32_t state = 2463534242u + count;
    std::vector<T> values(count);
    for (T& value : values)
        value = static_cast<T>(least + (most - least) * (next_number(state) % 65536 / 65536.0));
    return in_device(values);
}

// `count` whole numbers below `limit`
template <class T = int>
T* wholes(int count, uint32_t limit) {
    uint32_t state = 88675123u + count;
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(next_number(state) % limit);
    return in_device(values);
}

template <class T>
T* zeros(int count) {
    return in_device(std::vector<T>(count));
}
