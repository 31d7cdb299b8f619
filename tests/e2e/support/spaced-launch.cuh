// A launch in a header, as an editor that does not know CUDA lays it out.
__global__ void count_up(int* data) { data[threadIdx.x] = 100 + threadIdx.x; }
inline void launch_spaced(int* data) { count_up << < 1, 64 >> > (data); }
