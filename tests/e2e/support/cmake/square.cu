__device__ float squared(float x) { return x * x; }
