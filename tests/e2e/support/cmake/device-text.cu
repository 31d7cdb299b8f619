extern "C" __global__ void text(int* out) { *out = 1; }
