// bug: out-of-bounds-write
// line: 6
// found: memory/out-of-bounds-write
// note: an index beyond a shared array
#include <cstdio>
__global__ void k(int*a,int o){extern __shared__ int s[];s[threadIdx.x+o]=7;__syncthreads();a[threadIdx.x]=s[threadIdx.x+o];}
__global__ void k2(int*a,int o){__shared__ int s[32];__shared__ int t[32];s[threadIdx.x]=1;t[threadIdx.x]=2;__syncthreads();s[threadIdx.x+o]=9;__syncthreads();a[threadIdx.x]=t[threadIdx.x];}
int main(){int*d;cudaMalloc(&d,1<<20);k2<<<1,32>>>(d,32);printf("neighbour array: %s\n",cudaGetErrorString(cudaDeviceSynchronize()));k<<<1,32,64>>>(d,0);printf("dyn: %s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
