// Each element of a box of 32 x 6 x 4 gets the number that its thread has in its block.
#include <cstdio>
#include <set>
#include <vector>

constexpr int block_x = 8, block_y = 3, block_z = 2;  // choose another, which still divides the box
constexpr int box_x = 32, box_y = 6, box_z = 4, count = box_x * box_y * box_z;

__device__ int element() {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    return (z * box_y + y) * box_x + x;
}

__device__ int number_of_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

// Your task: the number of the thread in its block, from 0 to the number of threads - 1, as the hardware
// counts.
__global__ void number(int* out) {
    out[element()] = threadIdx.z * blockIdx.y * blockIdx.x + threadIdx.y * blockIdx.x + threadIdx.x;
}

// What the hardware says: the lane of the thread in its warp. And the block that the thread belongs to.
__global__ void ask(int* lanes, int* blocks) {
    int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    lanes[element()] = lane;
    blocks[element()] = number_of_block();
}

int main() {
    const dim3 block(block_x, block_y, block_z), grid(box_x / block_x, box_y / block_y, box_z / block_z);
    std::vector<int> numbers(count), lanes(count), blocks(count);
    int* device;
    cudaMalloc(&device, 3 * count * sizeof(int));
    number<<<grid, block>>>(device);
    ask<<<grid, block>>>(device + count, device + 2 * count);
    cudaMemcpy(numbers.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(lanes.data(), device + count, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(blocks.data(), device + 2 * count, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(device);
    std::set<std::pair<int, int>> given;  // a block's number, a thread's
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        const bool inside = numbers[i] >= 0 && numbers[i] < block_x * block_y * block_z;
        wrong += !inside || numbers[i] % 32 != lanes[i] || !given.insert({blocks[i], numbers[i]}).second;
    }
    std::printf("%d of %d numbers are wrong\n", wrong, count);
}
