// bug: divergent-barrier
// line: 6
// found: sync/divergent-barrier
// note: a barrier in one branch of a condition
#include <cstdio>
__global__ void k(int*a){if(threadIdx.x<16){a[0]=1;__syncthreads();}else{a[1]=2;}a[2]=3;}
__global__ void k2(int*a){if(threadIdx.x<64){__syncthreads();a[0]=1;}else{ a[1]=2; __syncthreads(); a[3]=4; }}
int main(){int*d;cudaMalloc(&d,64);k<<<1,128>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));k2<<<1,128>>>(d);printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
