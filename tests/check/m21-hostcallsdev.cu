// bug: does-not-compile
// line: 0
// found: nothing
// note: the host calls a __device__ function
#include <cstdio>
#include <vector>
__device__ int f(){return 1;}
__global__ void k(std::vector<int> v){}
int host(){return 3;}
__global__ void k2(int*p){*p=host();}
int main(){printf("%d\n",f());int x=5;k2<<<1,1>>>(&x);}
