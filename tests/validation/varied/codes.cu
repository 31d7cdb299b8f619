// Hashes, codes, texts, graphs, sorts.
#include "inputs.h"

__device__ __forceinline__ unsigned long long rotl64(unsigned long long x, int r) {
    return (x << r) | (x >> (64 - r));
}
__device__ __forceinline__ unsigned long long fmix(unsigned long long k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdULL;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ULL;
    k ^= k >> 33;
    return k;
}
__global__ void murmur3(const unsigned char* keys, const int* lengths, unsigned long long* out, int pitch,
                        int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const unsigned char* data = keys + t * pitch;
    int len = lengths[t], nblocks = len / 16;
    unsigned long long h1 = 42, h2 = 42;
    const unsigned long long c1 = 0x87c37b91114253d5ULL, c2 = 0x4cf5ad432745937fULL;
    const unsigned long long* blocks = (const unsigned long long*)data;
    for (int i = 0; i < nblocks; i++) {
        unsigned long long k1 = blocks[i * 2], k2 = blocks[i * 2 + 1];
        k1 *= c1;
        k1 = rotl64(k1, 31);
        k1 *= c2;
        h1 ^= k1;
        h1 = rotl64(h1, 27);
        h1 += h2;
        h1 = h1 * 5 + 0x52dce729;
        k2 *= c2;
        k2 = rotl64(k2, 33);
        k2 *= c1;
        h2 ^= k2;
        h2 = rotl64(h2, 31);
        h2 += h1;
        h2 = h2 * 5 + 0x38495ab5;
    }
    const unsigned char* tail = data + nblocks * 16;
    unsigned long long k1 = 0, k2 = 0;
    switch (len & 15) {
        case 11: k2 ^= (unsigned long long)tail[10] << 16;
        case 10: k2 ^= (unsigned long long)tail[9] << 8;
        case 9:
            k2 ^= (unsigned long long)tail[8];
            k2 *= c2;
            k2 = rotl64(k2, 33);
            k2 *= c1;
            h2 ^= k2;
        case 8: k1 ^= (unsigned long long)tail[7] << 56;
        case 4: k1 ^= (unsigned long long)tail[3] << 24;
        case 3: k1 ^= (unsigned long long)tail[2] << 16;
        case 2: k1 ^= (unsigned long long)tail[1] << 8;
        case 1:
            k1 ^= (unsigned long long)tail[0];
            k1 *= c1;
            k1 = rotl64(k1, 31);
            k1 *= c2;
            h1 ^= k1;
    }
    h1 ^= len;
    h2 ^= len;
    h1 += h2;
    h2 += h1;
    h1 = fmix(h1);
    h2 = fmix(h2);
    h1 += h2;
    h2 += h1;
    out[2 * t] = h1;
    out[2 * t + 1] = h2;
}

__constant__ unsigned char sbox[256];
__global__ void substitute(uint4* blocks, const unsigned* keys, int n, int rounds) {
    __shared__ unsigned char box[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) box[i] = sbox[i];
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    uint4 s = blocks[t];
    unsigned w[4] = {s.x, s.y, s.z, s.w};
    for (int r = 0; r < rounds; r++) {
        unsigned v[4];
        for (int c = 0; c < 4; c++)
            v[c] = box[w[c] & 0xff] | box[(w[(c + 1) & 3] >> 8) & 0xff] << 8 |
                   box[(w[(c + 2) & 3] >> 16) & 0xff] << 16 | (unsigned)box[w[(c + 3) & 3] >> 24] << 24;
        for (int c = 0; c < 4; c++) w[c] = v[c] ^ keys[r * 4 + c];
    }
    blocks[t] = make_uint4(w[0], w[1], w[2], w[3]);
}

#define F(x, y, z) (((x) & (y)) | (~(x) & (z)))
#define STEP(f, a, b, c, d, x, t, s)            \
    (a) += f((b), (c), (d)) + (x) + (t);        \
    (a) = (((a) << (s)) | ((a) >> (32 - (s)))); \
    (a) += (b);
__global__ void md5First(const unsigned* words, unsigned* out, int n, int reps) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int r = 0; r < reps; r++) {
        STEP(F, a, b, c, d, words[t * 4 + 0], 0xd76aa478, 7)
        STEP(F, d, a, b, c, words[t * 4 + 1], 0xe8c7b756, 12)
        STEP(F, c, d, a, b, words[t * 4 + 2], 0x242070db, 17)
        STEP(F, b, c, d, a, words[t * 4 + 3], 0xc1bdceee, 22)
    }
    out[t] = a ^ b ^ c ^ d;
}

__global__ void runLengths(const int* in, int* symbols, int* counts, int* runs, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int* p = in + row * n;
    int k = 0, i = 0;
    while (i < n) {
        int s = p[i], c = 1;
        while (i + c < n && p[i + c] == s) c++;
        symbols[row * n + k] = s;
        counts[row * n + k] = c;
        k++;
        i += c;
    }
    runs[row] = k;
}

__global__ void bitPack(const unsigned* values, unsigned* packed, int bits, int words) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= words) return;
    unsigned out = 0;
    int first = (w * 32) / bits, last = (w * 32 + 31) / bits;
    for (int v = first; v <= last; v++) {
        int shift = v * bits - w * 32;
        unsigned x = values[v] & ((1u << bits) - 1);
        out |= shift >= 0 ? x << shift : x >> -shift;
    }
    packed[w] = out;
}

__global__ void bloom(const unsigned* keys, unsigned* filter, int n, int hashes, unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (; i < n; i += stride) {
        unsigned h1 = keys[i] * 2654435761u, h2 = (keys[i] ^ 0x9e3779b9u) * 40503u;
        for (int k = 0; k < hashes; k++) {
            unsigned bit = (h1 + k * h2) & mask;
            atomicOr(&filter[bit >> 5], 1u << (bit & 31));
        }
    }
}

__global__ void smithWaterman(const char* a, const char* b, int* score, int la, int lb, int match,
                              int mismatch, int gap) {
    __shared__ int prev[128], cur[128], prev2[128];
    int t = threadIdx.x;
    prev[t] = cur[t] = prev2[t] = 0;
    int best = 0;
    __syncthreads();
    for (int d = 0; d < la + lb - 1; d++) {
        int j = d - t;
        int v = 0;
        if (t < la && j >= 0 && j < lb) {
            int diag = (t > 0 && j > 0) ? prev2[t - 1] : 0;
            int up = t > 0 ? prev[t - 1] : 0;
            int left = j > 0 ? prev[t] : 0;
            v = max(0, max(diag + (a[t] == b[blockIdx.x * lb + j] ? match : mismatch), max(up, left) + gap));
            best = max(best, v);
        }
        __syncthreads();
        prev2[t] = prev[t];
        prev[t] = v;
        __syncthreads();
    }
    atomicMax(&score[blockIdx.x], best);
}

__global__ void sudokuValid(const char* boards, int* valid, int n) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= n) return;
    const char* g = boards + b * 81;
    int ok = 1;
    for (int i = 0; i < 9 && ok; i++) {
        int r = 0, c = 0, q = 0;
        for (int j = 0; j < 9; j++) {
            int x = g[i * 9 + j], y = g[j * 9 + i], z = g[(i / 3 * 3 + j / 3) * 9 + i % 3 * 3 + j % 3];
            if (r >> x & 1 || c >> y & 1 || q >> z & 1) {
                ok = 0;
                break;
            }
            r |= 1 << x;
            c |= 1 << y;
            q |= 1 << z;
        }
    }
    valid[b] = ok;
}

__global__ void sieve(unsigned char* composite, int limit, int root) {
    int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    if (p > root || composite[p]) return;
    for (int m = p * p; m <= limit; m += p) composite[m] = 1;
}

__global__ void ranks(const float* keys, int* rank, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float k = keys[i];
    int r = 0;
    for (int j = 0; j < n; j++)
        if (keys[j] < k || (keys[j] == k && j < i)) r++;
    rank[i] = r;
}

template <class T>
__device__ void exchange(T& a, T& b) {
    T t = a;
    a = b;
    b = t;
}
__global__ void shellSort(int* rows, int n) {
    int* a = rows + (blockIdx.x * blockDim.x + threadIdx.x) * n;
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) exchange(a[j], a[j - gap]);
}

__global__ void mergeRows(const int* a, const int* b, int* out, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int *x = a + row * n, *y = b + row * n;
    int i = 0, j = 0, k = row * 2 * n;
    while (i < n && j < n) out[k++] = x[i] <= y[j] ? x[i++] : y[j++];
    while (i < n) out[k++] = x[i++];
    while (j < n) out[k++] = y[j++];
}

__global__ void colorGraph(const int* rowPtr, const int* col, int* color, const float* prio, int n, int round,
                           int* left) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || color[v] >= 0) return;
    bool top = true;
    for (int e = rowPtr[v]; e < rowPtr[v + 1]; e++) {
        int u = col[e];
        if (u == v) continue;
        if (color[u] != -1 && color[u] != round) continue;
        if (prio[u] > prio[v]) {
            top = false;
            break;
        }
    }
    if (top)
        color[v] = round;
    else
        atomicAdd(left, 1);
}

__global__ void huffmanLengths(const unsigned char* text, const unsigned char* len, unsigned* total, int n) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine += len[text[i]];
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

__global__ void gridPaths(const int* cost, int* dist, int w, int h) {
    __shared__ int row[2][64];
    int x = threadIdx.x;
    row[0][x] = cost[x];
    __syncthreads();
    int cur = 0;
    for (int y = 1; y < h; y++) {
        int best = row[cur][x];
        if (x > 0) best = min(best, row[cur][x - 1]);
        if (x < w - 1) best = min(best, row[cur][x + 1]);
        row[cur ^ 1][x] = best + cost[y * w + x];
        cur ^= 1;
        __syncthreads();
    }
    dist[x] = row[cur][x];
}

__global__ void lzMatches(const unsigned char* text, int* length, int* offset, int n, int window) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0, at = 0;
    int from = i - window < 0 ? 0 : i - window;
    for (int j = from; j < i; j++) {
        int l = 0;
        while (l < 18 && i + l < n && text[j + l] == text[i + l]) l++;
        if (l > best) {
            best = l;
            at = i - j;
        }
    }
    length[i] = best;
    offset[i] = at;
}

__global__ void grayCodes(unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned g = i ^ (i >> 1), b = g;
    for (unsigned m = g >> 1; m; m >>= 1) b ^= m;
    out[i] = b == (unsigned)i ? __brev(g) + __popc(g) : 0;
}

__global__ void philox(uint4* out, unsigned k0, unsigned k1, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 c = make_uint4(i, 0, 0, 0);
    for (int r = 0; r < 10; r++) {
        unsigned hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
        unsigned hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
        c = make_uint4(hi1 ^ c.y ^ k0, lo1, hi0 ^ c.w ^ k1, lo0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[i] = c;
}

int main() {
    const int n = 1 << 14;
    int *a = wholes(n, 100), *b = wholes(n, 90), *c = zeros<int>(n), *d = zeros<int>(n), *e = zeros<int>(n);
    unsigned char *t = wholes<unsigned char>(n, 4), *t2 = wholes<unsigned char>(n, 250);
    murmur3<<<2, 64>>>(t2, wholes(128, 60), (unsigned long long*)c, 64, 120);
    substitute<<<2, 64>>>((uint4*)a, (unsigned*)b, 120, 10);
    a = wholes(n, 100);
    md5First<<<4, 64>>>((unsigned*)a, (unsigned*)c, 250, 5);
    runLengths<<<2, 64>>>(wholes(n, 2), c, d, e, 64);
    bitPack<<<4, 64>>>((unsigned*)a, (unsigned*)c, 7, 250);
    bloom<<<4, 64>>>((unsigned*)a, (unsigned*)zeros<int>(n), 1000, 5, 0x3fff);
    smithWaterman<<<4, 128>>>((char*)t, (char*)t, e, 100, 90, 3, -1, -2);
    sudokuValid<<<2, 64>>>((char*)wholes<unsigned char>(81 * 128, 9), c, 120);
    sieve<<<1, 64>>>(zeros<unsigned char>(n), 3000, 54);
    ranks<<<4, 64>>>(reals(256), c, 250);
    shellSort<<<2, 32>>>(wholes(64 * 40, 1000), 40);
    mergeRows<<<2, 32>>>(a, b, zeros<int>(n), 40);
    std::vector<int> ptr(257);
    for (int i = 0; i <= 256; i++) ptr[i] = i * 6;
    colorGraph<<<4, 64>>>(in_device(ptr), wholes(256 * 6, 256), in_device(std::vector<int>(256, -1)),
                          reals(256), 250, 0, zeros<int>(1));
    huffmanLengths<<<4, 128>>>(t, t2, zeros<unsigned>(1), 5000);
    gridPaths<<<1, 64>>>(a, c, 64, 60);
    lzMatches<<<4, 64>>>(t, c, d, 250, 40);
    grayCodes<<<4, 64>>>((unsigned*)c, 250);
    philox<<<4, 64>>>((uint4*)c, 1, 2, 250);
    return cudaDeviceSynchronize() != cudaSuccess;
}
