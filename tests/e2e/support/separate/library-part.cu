// The other.
__device__ int state = VALUE;
__device__ int answer() { return VALUE * 1000; }
