// bug: race-read-write
// line: 6
// found: race/race-read-write
// note: threads read what others write in shared memory, with no barrier between
#include <cstdio>
__global__ void rev(int*a){__shared__ int s[256];int t=threadIdx.x;s[t]=a[t];/* missing __syncthreads */a[t]=s[255-t];}
int main(){int h[256];for(int i=0;i<256;i++)h[i]=i;int*d;cudaMalloc(&d,1024);cudaMemcpy(d,h,1024,cudaMemcpyHostToDevice);rev<<<1,256>>>(d);cudaMemcpy(h,d,1024,cudaMemcpyDeviceToHost);int bad=0;for(int i=0;i<256;i++)bad+=h[i]!=255-i;printf("bad=%d %s\n",bad,cudaGetErrorString(cudaGetLastError()));}
