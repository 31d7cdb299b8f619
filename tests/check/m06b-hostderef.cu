// bug: host-dereference
// line: 6
// found: memory/host-dereference
// note: the host dereferences device memory
#include <cstdio>
int main(){int*d;cudaMalloc(&d,128);d[0]=5;printf("d[0]=%d\n",d[0]);}
