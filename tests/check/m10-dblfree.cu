// bug: double-free
// line: 6
// found: memory/double-free
// note: memory is freed twice
#include <cstdio>
int main(){int*d;cudaMalloc(&d,128);cudaFree(d);printf("%s\n",cudaGetErrorString(cudaFree(d)));int x;printf("%s\n",cudaGetErrorString(cudaFree(&x)));printf("%s\n",cudaGetErrorString(cudaFree(d+1)));}
