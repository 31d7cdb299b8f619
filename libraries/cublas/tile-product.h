// Products of matrices, tile by tile: a block of 16 x 16 threads computes a square tile of the result, each
// thread `tile / 16` squared elements of it. Slices of both operands go through shared memory, converted to
// the type that is computed with.
//
// An operand is a struct with
//     at(x, k)      its element: x counts rows of the left operand, columns of the right one
//     k_adjacent    neighbours in k are neighbours in memory, so that a warp reads along k
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cublas/matrix.h"

namespace lockstep::cublas {

template <class Compute, class In>
__device__ Compute to_compute(In value) {
    if constexpr (std::is_same_v<In, __half>)
        return __half2float(value);
    else if constexpr (std::is_same_v<In, __nv_bfloat16>)
        return __bfloat162float(value);
    else
        return static_cast<Compute>(value);
}
template <class Out, class Compute>
__device__ Out from_compute(Compute value) {
    if constexpr (std::is_same_v<Out, __half>)
        return __float2half(value);
    else if constexpr (std::is_same_v<Out, __nv_bfloat16>)
        return __float2bfloat16(value);
    else
        return static_cast<Out>(value);
}

template <class Out, class Compute>
struct TileResult {
    Out* c;
    long long ld;
    int m, n, k;
    Compute alpha, beta;
    Region region;
    bool real_diagonal;
};

template <int tile, class Compute, class Left, class Right, class Out>
__device__ void tile_product(const Left& left, const Right& right, const TileResult<Out, Compute>& result,
                             int tile_row, int tile_column) {
    constexpr int each = tile / 16, depth = sizeof(Compute) <= 4 ? 16 : 8, threads = 256;
    // Neighbours of which a thread reads 16 bytes at once; rows of slices begin where that is aligned.
    constexpr int wide = 16 / sizeof(Compute), pack = wide < each ? wide : each, pitch = tile + wide;
    struct alignas(pack * sizeof(Compute)) Pack {
        Compute values[pack];
    };
    __shared__ __align__(16) char memory[2 * depth * pitch * sizeof(Compute)];
    Compute(*lefts)[pitch] = reinterpret_cast<Compute(*)[pitch]>(memory);
    Compute(*rights)[pitch] = lefts + depth;
    const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
    const int row = tile_row * tile, column = tile_column * tile;

    // A slice comes by way of registers: the next one is on its way while this one is multiplied.
    constexpr int share = (tile * depth + threads - 1) / threads;
    const auto fetch = [&](Compute(&values)[share], const auto& operand, int first, int end, int from) {
#pragma unroll
        for (int turn = 0; turn < share; ++turn) {
            const int at = thread + turn * threads;
            const int i = operand.k_adjacent ? at / depth : at % tile,
                      k = operand.k_adjacent ? at % depth : at / tile;
            const bool inside = at < tile * depth && first + i < end && from + k < result.k;
            values[turn] = inside ? operand.at(first + i, from + k) : Compute(0);
        }
    };
    const auto keep = [&](Compute(*slice)[pitch], const Compute(&values)[share], bool k_adjacent) {
#pragma unroll
        for (int turn = 0; turn < share; ++turn) {
            const int at = thread + turn * threads;
            if (at < tile * depth)
                slice[k_adjacent ? at % depth : at / tile][k_adjacent ? at / depth : at % tile] =
                    values[turn];
        }
    };
    const auto place = [](int group, int i) { return (i / pack) * 16 * pack + group * pack + i % pack; };
    const auto read = [&](Compute(&values)[each], const Compute* slice, int group) {
#pragma unroll
        for (int i = 0; i < each; i += pack) {
            const Pack several = *reinterpret_cast<const Pack*>(slice + place(group, i));
#pragma unroll
            for (int part = 0; part < pack; ++part) values[i + part] = several.values[part];
        }
    };

    Compute sums[each][each];
#pragma unroll
    for (auto& sums_of_row : sums)
#pragma unroll
        for (Compute& sum : sums_of_row) sum = Compute(0);
    if (result.alpha != Compute(0) && result.k > 0) {
        Compute next_left[share], next_right[share];
        fetch(next_left, left, row, result.m, 0);
        fetch(next_right, right, column, result.n, 0);
        for (int from = 0; from < result.k; from += depth) {
            keep(lefts, next_left, left.k_adjacent);
            keep(rights, next_right, right.k_adjacent);
            __syncthreads();
            if (from + depth < result.k) {
                fetch(next_left, left, row, result.m, from + depth);
                fetch(next_right, right, column, result.n, from + depth);
            }
#pragma unroll 2
            for (int k = 0; k < depth; ++k) {
                Compute a[each], b[each];
                read(a, lefts[k], x);
                read(b, rights[k], y);
#pragma unroll
                for (int i = 0; i < each; ++i)
#pragma unroll
                    for (int j = 0; j < each; ++j) sums[i][j] = multiply_add(a[i], b[j], sums[i][j]);
            }
            __syncthreads();
        }
    }

#pragma unroll
    for (int j = 0; j < each; ++j)
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const int at_row = row + place(x, i), at_column = column + place(y, j);
            if (at_row >= result.m || at_column >= result.n) continue;
            if (result.region == Region::upper ? at_row > at_column
                                               : result.region == Region::lower && at_row < at_column)
                continue;
            Out& c = result.c[at_row + at_column * result.ld];
            Compute value = result.alpha * sums[i][j];
            // What beta = 0 stands for may not be read: it need not be a number.
            if (result.beta != Compute(0)) value = multiply_add(result.beta, to_compute<Compute>(c), value);
            if (result.real_diagonal && at_row == at_column) value = Compute(real_part(value));
            c = from_compute<Out>(value);
        }
}

}  // namespace lockstep::cublas
