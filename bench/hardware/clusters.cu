// Clusters: special registers, limits, distributed shared memory.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;
__device__ int out[1 << 16];
__device__ int sr_cluster_ctaid_x() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_ctaid_y() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_ctaid_z() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_ctarank() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_nctaid_x() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_nctaid_y() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_nctaid_z() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v));
    return (int)v;
}
__device__ int sr_cluster_nctarank() {
    unsigned v;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v));
    return (int)v;
}
__device__ int sr_clusterid_x() {
    unsigned v;
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v));
    return (int)v;
}
__device__ int sr_clusterid_y() {
    unsigned v;
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v));
    return (int)v;
}
__device__ int sr_clusterid_z() {
    unsigned v;
    asm volatile("mov.u32 %0, %%clusterid.z;" : "=r"(v));
    return (int)v;
}
__device__ int sr_nclusterid_x() {
    unsigned v;
    asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v));
    return (int)v;
}
__device__ int sr_nclusterid_y() {
    unsigned v;
    asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v));
    return (int)v;
}
__device__ int sr_nclusterid_z() {
    unsigned v;
    asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(v));
    return (int)v;
}
__device__ int sr_smid() {
    unsigned v;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
    return (int)v;
}
__global__ void regs() {
    if (threadIdx.x) return;
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* o = out + 32 * b;
    int k = 0;
    o[k++] = sr_cluster_ctaid_x();
    o[k++] = sr_cluster_ctaid_y();
    o[k++] = sr_cluster_ctaid_z();
    o[k++] = sr_cluster_nctaid_x();
    o[k++] = sr_cluster_nctaid_y();
    o[k++] = sr_cluster_nctaid_z();
    o[k++] = sr_cluster_ctarank();
    o[k++] = sr_cluster_nctarank();
    o[k++] = sr_clusterid_x();
    o[k++] = sr_clusterid_y();
    o[k++] = sr_clusterid_z();
    o[k++] = sr_nclusterid_x();
    o[k++] = sr_nclusterid_y();
    o[k++] = sr_nclusterid_z();
    unsigned e;
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0,1,0,p;}" : "=r"(e));
    o[k++] = e;
    o[k++] = sr_smid();
    extern __shared__ int sh[];
    __shared__ int st;
    unsigned a0, a1;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;"
                 : "=r"(a0)
                 : "r"((unsigned)__cvta_generic_to_shared(&st)));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(a1)
                 : "r"((unsigned)__cvta_generic_to_shared(&st)), "r"(sr_cluster_nctarank() - 1));
    o[k++] = (int)__cvta_generic_to_shared(&st);
    o[k++] = a0;
    o[k++] = a1;
    unsigned r0;
    asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(r0) : "r"(a1));
    o[k++] = r0;
}
__global__ void latency(int n) {
    __shared__ unsigned chain[256];
    cg::cluster_group c = cg::this_cluster();
    unsigned rank = c.block_rank();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) chain[i] = (i + 1) % 256;
    c.sync();
    if (rank == 0 && threadIdx.x == 0) {
        unsigned j = 0;
        volatile unsigned* own = chain;
        long long b = clock64();
        for (int i = 0; i < n; ++i) j = own[j];
        long long e = clock64();
        out[0] = (int)(e - b);
        out[1] = j;
        volatile unsigned* far = c.map_shared_rank(chain, c.num_blocks() - 1);
        b = clock64();
        for (int i = 0; i < n; ++i) j = far[j];
        e = clock64();
        out[2] = (int)(e - b);
        out[3] = j;
        unsigned a;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(a)
                     : "r"((unsigned)__cvta_generic_to_shared(chain)), "r"(c.num_blocks() - 1));
        b = clock64();
        for (int i = 0; i < n; ++i)
            asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(j) : "r"(a + 4 * j));
        e = clock64();
        out[4] = (int)(e - b);
        out[5] = j;
        b = clock64();
        for (int i = 0; i < n; ++i)
            asm volatile("atom.shared::cluster.add.u32 %0, [%1], 0;" : "=r"(j) : "r"(a + 4 * j));
        e = clock64();
        out[6] = (int)(e - b);
        out[7] = j;
    }
    c.sync();
    long long b = clock64();
    for (int i = 0; i < n; ++i) c.sync();
    long long e = clock64();
    if (rank == 0 && threadIdx.x == 0) out[8] = (int)(e - b);
}
__global__ void bandwidth(int n) {
    __shared__ float4 buf[2048];
    cg::cluster_group c = cg::this_cluster();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) buf[i] = make_float4(i, 1, 2, 3);
    c.sync();
    float4* far = c.map_shared_rank(buf, (c.block_rank() + 1) % c.num_blocks());
    float s = 0;
    long long b = clock64();
    for (int r = 0; r < n; ++r)
        for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
            float4 v = far[i];
            s += v.x + v.y + v.z + v.w;
        }
    long long e = clock64();
    c.sync();
    if (s == 12345) out[100] = 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = (int)(e - b);
}
__global__ void __cluster_dims__(2, 1, 1) fixed2() { out[0] = sr_cluster_nctarank(); }
cudaError_t go(void (*k)(), dim3 g, dim3 b, dim3 c, size_t sh = 0, bool coop = false) {
    cudaLaunchConfig_t f = {};
    f.gridDim = g;
    f.blockDim = b;
    f.dynamicSmemBytes = sh;
    cudaLaunchAttribute a[2];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = c.x;
    a[0].val.clusterDim.y = c.y;
    a[0].val.clusterDim.z = c.z;
    a[1].id = cudaLaunchAttributeCooperative;
    a[1].val.cooperative = 1;
    f.attrs = a;
    f.numAttrs = coop ? 2 : 1;
    return cudaLaunchKernelEx(&f, k);
}
template <class... A>
cudaError_t gon(void (*k)(A...), dim3 g, dim3 b, dim3 c, A... args) {
    cudaLaunchConfig_t f = {};
    f.gridDim = g;
    f.blockDim = b;
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = c.x;
    a[0].val.clusterDim.y = c.y;
    a[0].val.clusterDim.z = c.z;
    f.attrs = a;
    f.numAttrs = 1;
    return cudaLaunchKernelEx(&f, k, args...);
}
static int h[1 << 16];
void show(int blocks, int n) {
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(h, out, sizeof h);
    for (int b = 0; b < blocks; ++b) {
        printf("%d:", b);
        for (int i = 0; i < n; ++i) printf(" %d", h[32 * b + i]);
        printf("\n");
    }
}
void err(const char* w, cudaError_t e) {
    cudaError_t s = cudaDeviceSynchronize();
    cudaError_t l = cudaGetLastError();
    printf("%s: %d %s, sync %d, last %d\n", w, e, cudaGetErrorName(e), s, l);
}
int main() {
    printf("1-D 4 of 8\n");
    err("go", go(regs, 8, 32, 4));
    show(8, 20);
    printf("2-D (2,2) of (4,4)\n");
    err("go", go(regs, dim3(4, 4), 32, dim3(2, 2)));
    show(16, 20);
    printf("3-D (1,2,2) of (2,2,4)\n");
    err("go", go(regs, dim3(2, 2, 4), 32, dim3(1, 2, 2)));
    show(16, 20);
    printf("none, grid 3\n");
    regs<<<3, 32>>>();
    show(3, 20);
    err("cluster 9", go(regs, 9, 32, 9));
    err("cluster 16", go(regs, 16, 32, 16));
    err("cluster 3 of 9", go(regs, 9, 32, 3));
    err("cluster 5 of 5", go(regs, 5, 32, 5));
    err("grid 7 cluster 4", go(regs, 7, 32, 4));
    err("cluster 0", go(regs, 8, 32, dim3(0, 1, 1)));
    err("cluster 2, 200 KB", go(regs, 8, 32, 2, 200000));
    err("cluster cooperative", go(regs, 8, 32, 4, 0, true));
    err("fixed2 with 4", go(fixed2, 8, 32, 4));
    err("fixed2 with 2", go(fixed2, 8, 32, 2));
    fixed2<<<4, 32>>>();
    err("fixed2 <<<4>>>", cudaGetLastError());
    fixed2<<<3, 32>>>();
    err("fixed2 <<<3>>>", cudaGetLastError());
    cudaError_t e = cudaFuncSetAttribute(regs, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    err("nonportable", e);
    err("cluster 9", go(regs, 9, 32, 9));
    err("cluster 16", go(regs, 16, 32, 16));
    err("cluster 17", go(regs, 17, 32, 17));
    err("cluster 32", go(regs, 32, 32, 32));
    err("cluster 12", go(regs, 12, 32, 12));
    cudaFuncAttributes fa;
    cudaFuncGetAttributes(&fa, fixed2);
    printf("fixed2 attributes %d %d %d max %d required %d preferred\n", fa.requiredClusterWidth,
           fa.requiredClusterHeight, fa.requiredClusterDepth, fa.clusterDimMustBeSet,
           fa.nonPortableClusterSizeAllowed);
    for (int c : {1, 2, 4, 8, 16})
        for (int b : {32, 256, 1024})
            for (int sh : {0, 40000}) {
                cudaLaunchConfig_t f = {};
                f.gridDim = 16;
                f.blockDim = b;
                f.dynamicSmemBytes = sh;
                cudaLaunchAttribute a[1];
                a[0].id = cudaLaunchAttributeClusterDimension;
                a[0].val.clusterDim.x = c;
                a[0].val.clusterDim.y = 1;
                a[0].val.clusterDim.z = 1;
                f.attrs = a;
                f.numAttrs = 1;
                int n = -1, p = -1;
                cudaError_t e1 = cudaOccupancyMaxActiveClusters(&n, regs, &f);
                f.numAttrs = 0;
                cudaError_t e2 = cudaOccupancyMaxPotentialClusterSize(&p, regs, &f);
                printf("cluster %d block %d shared %d: active %d (%d), potential %d (%d)\n", c, b, sh, n, e1,
                       p, e2);
            }
    {
        cudaLaunchConfig_t f = {};
        f.gridDim = 16;
        f.blockDim = 32;
        int p = -1;
        cudaOccupancyMaxPotentialClusterSize(&p, latency, &f);
        printf("potential without nonportable %d\n", p);
    }
    for (int c : {1, 2, 4, 8}) {
        gon(latency, dim3(c), dim3(32), dim3(c), 1000);
        gon(latency, dim3(c), dim3(32), dim3(c), 1000);
        show(0, 0);
        printf(
            "cluster %d: own %d far generic %d far shared::cluster %d atom %d barrier %d (cycles of 1000)\n",
            c, h[0], h[2], h[4], h[6], h[8]);
    }
    for (int c : {1, 2, 4, 8})
        for (int b : {128, 1024}) {
            gon(bandwidth, dim3(128), dim3(b), dim3(c), 20);
            gon(bandwidth, dim3(128), dim3(b), dim3(c), 20);
            show(0, 0);
            printf("bandwidth cluster %d block %d: %d cycles for 20 x 32 KB\n", c, b, h[0]);
        }
    err("end", cudaSuccess);
}
