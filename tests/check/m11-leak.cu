// bug: leak
// line: 6
// found: leak/leak
// note: memory is never freed
#include <cstdio>
int main(){for(int i=0;i<10;i++){int*d;cudaMalloc(&d,1<<20);}printf("done\n");}
