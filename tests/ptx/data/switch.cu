// Branch tables.
#include "prelude.h"
__global__ void jump(int* out, int n) {
    int i = threadIdx.x;
    int v = out[i];
    for (int k = 0; k < n; ++k) {
        switch (v & 7) {
            case 0: v = v * 3 + out[i + 1]; break;
            case 1: v ^= out[i + 2] << 3; break;
            case 2: v -= n; out[i + 3] = v; break;
            case 3: v = out[v & 15]; break;
            case 4: v |= 256; break;
            case 5: v = v / (n + 1); break;
            case 6: v = ~v; out[i + 9] = k; break;
            case 7: v = v % 77; break;
        }
    }
    out[i] = v;
}
