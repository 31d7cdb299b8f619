// Transactions of global memory as nvprof counts them on each generation: 128-byte lines on Fermi and Kepler, through
// the L1 or not as -dlcm says; 32-byte sectors later. 4096 warps load and store a word a thread, the loads 11 words off;
// a broadcast is asked for by 32 threads.
// RUN: lockstep profile --gpu fermi %s --expect 'offset: gld_efficiency == 50' --expect 'offset: gld_transactions == 8192' --expect 'offset: gld_transactions_per_request == 2' --expect 'offset: gst_transactions == 4096' --expect 'offset: gst_efficiency == 100' --expect 'broadcast: gld_efficiency == 100' --expect 'offset: l1_cache_global_hit_rate > 40' --expect 'offset: l1_cache_global_hit_rate < 60'
// RUN: lockstep profile --gpu fermi %s -Xptxas -dlcm=cg --expect 'offset: gld_efficiency == 80' --expect 'offset: gld_transactions == 8192' --expect 'offset: l1_cache_global_hit_rate == 0' --expect 'broadcast: gld_efficiency == 400'
// RUN: lockstep profile --gpu k20x %s --expect 'offset: gld_efficiency == 80' --expect 'offset: gld_transactions_per_request == 2' --expect 'offset: gst_transactions_per_request == 1' --expect 'offset: l1_cache_global_hit_rate == 0'
// RUN: lockstep profile --gpu k20x --ptxas-options=-dlcm=ca %s --expect 'offset: gld_efficiency == 50' --expect 'offset: l1_cache_global_hit_rate > 40'
// RUN: lockstep profile --gpu p2000 %s --expect 'offset: gld_efficiency == 80' --expect 'offset: gld_transactions_per_request == 5' --expect 'offset: gst_transactions_per_request == 4' --expect 'broadcast: gld_efficiency == 12.5' --expect 'offset: l1_cache_global_hit_rate == 0'
// RUN: lockstep nvcc -arch=sm_35 -Xptxas -dlcm=ca -o %t/program %s
// RUN: lockstep profile --gpu k20x %t/program --expect 'offset: gld_efficiency == 50'
// RUN: lockstep nvprof --gpu k20x --events gld_request,global_store_transaction %t/program
// ERR: gld_request
// RUN: lockstep nvcc -Xptxas -dlcm=l1 -o %t/program %s
// EXIT: 1
// ERR: ptxas -dlcm=l1: known are ca, cg, cs, lu and cv
__global__ void offset(int* out, int* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 11];
}

__global__ void broadcast(int* out, int* in) { out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x / 32]; }

int main() {
    constexpr int threads = 4096 * 32;
    int *in, *out;
    cudaMalloc(&in, (threads + 64) * sizeof *in);
    cudaMalloc(&out, threads * sizeof *out);
    offset<<<threads / 256, 256>>>(out, in);
    broadcast<<<threads / 256, 256>>>(out, in);
    return cudaDeviceSynchronize();
}
