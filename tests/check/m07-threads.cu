// bug: launch-failed
// line: 7
// found: host/launch-failed
// note: more threads, blocks or rows than a launch may have
#include <cstdio>
__global__ void k(int*a){a[threadIdx.x]=7;}
int main(){int*d;cudaMalloc(&d,1<<20);k<<<1,2048>>>(d);cudaDeviceSynchronize();int h=0;cudaMemcpy(&h,d,4,cudaMemcpyDeviceToHost);printf("h=%d\n",h);k<<<dim3(1,70000),32>>>(d);printf("%s\n",cudaGetErrorString(cudaGetLastError()));k<<<1,dim3(1,1,128)>>>(d);printf("%s\n",cudaGetErrorString(cudaGetLastError()));k<<<0,32>>>(d);printf("%s\n",cudaGetErrorString(cudaGetLastError()));}
