// bug: divergent-barrier
// line: 6
// found: sync/divergent-barrier
// note: warps come to different barriers, or not as often
#include <cstdio>
__global__ void k(int*a){__shared__ int s[64];if(threadIdx.x<32){s[threadIdx.x]=1;__syncthreads();s[threadIdx.x]++;__syncthreads();}else{__syncthreads();a[threadIdx.x]=s[threadIdx.x-32];}}
__global__ void k2(int*a){for(int i=0;i<(int)threadIdx.x/32+1;i++){a[threadIdx.x]+=i;__syncthreads();}}
__global__ void k3(int*a){if(threadIdx.x%2){__syncthreads();a[threadIdx.x]=1;}else{__syncthreads();a[threadIdx.x]=2;}}
int main(){int*d;cudaMalloc(&d,4096);cudaMemset(d,0,4096);k<<<1,64>>>(d);printf("k %s\n",cudaGetErrorString(cudaDeviceSynchronize()));k2<<<1,64>>>(d);printf("k2 %s\n",cudaGetErrorString(cudaDeviceSynchronize()));k3<<<1,64>>>(d);printf("k3 %s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
