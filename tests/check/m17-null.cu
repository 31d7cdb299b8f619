// bug: null-pointer
// line: 6
// found: memory/null-pointer
// note: the null pointer
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){k<<<1,32>>>(nullptr);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));int*d;printf("after: %s\n",cudaGetErrorString(cudaMalloc(&d,4)));}
