// bug: out-of-bounds-write
// line: 6
// found: memory/out-of-bounds-write
// note: an index beyond a local array
#include <cstdio>
__global__ void k(int*a,int n){int l[8];for(int i=0;i<n;i++)l[i]=a[i];int s=0;for(int i=0;i<8;i++)s+=l[(i*a[40])&7];a[0]=s;}
int main(){int*d;cudaMalloc(&d,1024);cudaMemset(d,0,1024);k<<<1,1>>>(d,16);printf("local oob 16: %s\n",cudaGetErrorString(cudaDeviceSynchronize()));k<<<1,1>>>(d,100000);printf("local oob: %s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
