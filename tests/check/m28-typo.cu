// bug: does-not-compile
// line: 0
// found: nothing
// note: misspelt names
#include <cstdio>
__global__ void k(int*a){a[threadIx.x]=7}
int main(){k<<<1,32>>>(5.0);k<<<1>>>(0);k(0);}
