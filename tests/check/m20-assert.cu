// bug: assertion
// line: 7
// found: undefined/assertion
// note: an assertion that does not hold
#include <cstdio>
#include <cassert>
__global__ void k(int n){assert(threadIdx.x<n);}
int main(){k<<<1,32>>>(30);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
