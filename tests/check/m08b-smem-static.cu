// bug: does-not-compile
// line: 0
// found: nothing
// note: more static shared memory than a kernel may have
#include <cstdio>
__global__ void k(int*a){__shared__ int s[20000];s[threadIdx.x]=a[0];__syncthreads();a[0]=s[a[1]];}
int main(){int*d;cudaMalloc(&d,1<<20);cudaMemset(d,0,100);k<<<1,32>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
