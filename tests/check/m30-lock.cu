// bug: none
// line: 0
// found: nothing
// note: a spin lock among the lanes of a warp, which works since Volta
#include <cstdio>
__device__ int mtx,cnt;
__global__ void k(){while(atomicCAS(&mtx,0,1)!=0);cnt++;__threadfence();atomicExch(&mtx,0);}
int main(){k<<<4,64>>>();printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));int c;cudaMemcpyFromSymbol(&c,cnt,4);printf("%d\n",c);}
