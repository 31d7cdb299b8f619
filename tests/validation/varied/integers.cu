// Hashes, bits, random numbers, strings and sorting.
#include "inputs.h"

__device__ __forceinline__ uint32_t rotl(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

__device__ uint32_t murmur(const uint32_t* words, int count, uint32_t seed) {
    uint32_t h = seed;
    for (int i = 0; i < count; i++) {
        uint32_t k = words[i];
        k *= 0xcc9e2d51u;
        k = rotl(k, 15);
        k *= 0x1b873593u;
        h ^= k;
        h = rotl(h, 13);
        h = h * 5 + 0xe6546b64u;
    }
    h ^= count * 4;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

__global__ void hashRows(const uint32_t* rows, uint32_t* hashes, int nrows, int width) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < nrows) hashes[r] = murmur(rows + r * width, width, 42u);
}

__global__ void fnv(const char* text, const int* starts, unsigned long long* out, int strings) {
    int s = threadIdx.x + blockIdx.x * blockDim.x;
    if (s >= strings) return;
    unsigned long long h = 14695981039346656037ull;
    for (const char* p = text + starts[s]; *p != 0; ++p) {
        h ^= (unsigned char)*p;
        h *= 1099511628211ull;
    }
    out[s] = h;
}

__constant__ uint32_t K[16];

__device__ void mix(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, uint32_t m) {
    a += b + m;
    d = __funnelshift_l(d ^ a, d ^ a, 16);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 12);
}

__global__ void quarterRounds(const uint4* in, uint4* out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 s = in[i];
    for (int r = 0; r < rounds; r++) {
        mix(s.x, s.y, s.z, s.w, K[r & 15]);
        mix(s.y, s.z, s.w, s.x, K[(r + 7) & 15]);
    }
    out[i] = s;
}

__global__ void crc32(const unsigned char* data, uint32_t* crc, int n, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t c = ~0u;
    for (int b = 0; b < length; b++) {
        c ^= data[i * length + b];
        for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
    }
    crc[i] = ~c;
}

__global__ void hamming(const unsigned long long* a, const unsigned long long* b, int* dist, int n,
                        int words) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y;
    if (i >= n) return;
    int d = 0;
    for (int k = 0; k < words; ++k) d += __popcll(a[i * words + k] ^ b[j * words + k]);
    dist[j * n + i] = d;
}

__global__ void morton(const int3* cells, unsigned int* codes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int3 c = cells[i];
    unsigned v[3] = {(unsigned)c.x, (unsigned)c.y, (unsigned)c.z}, code = 0;
    for (int k = 0; k < 3; k++) {
        unsigned x = v[k] & 0x3ff;
        x = (x | x << 16) & 0x030000ff;
        x = (x | x << 8) & 0x0300f00f;
        x = (x | x << 4) & 0x030c30c3;
        x = (x | x << 2) & 0x09249249;
        code |= x << k;
    }
    codes[i] = code;
}

struct Xoshiro {
    uint32_t s[4];
    __device__ void seed(uint32_t v) {
        for (int i = 0; i < 4; i++) {
            v = v * 1664525u + 1013904223u;
            s[i] = v ^ (v >> 11);
        }
    }
    __device__ uint32_t operator()() {
        uint32_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 9;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = rotl(s[3], 11);
        return result;
    }
    __device__ float uniform() { return (*this)() * (1.0f / 4294967296.0f); }
};

__global__ void pi(unsigned long long* hits, int trials) {
    Xoshiro random;
    random.seed(blockIdx.x * blockDim.x + threadIdx.x + 1);
    int inside = 0;
    for (int t = 0; t < trials; t++) {
        float x = random.uniform(), y = random.uniform();
        if (x * x + y * y <= 1.0f) inside++;
    }
    for (int o = 16; o > 0; o >>= 1) inside += __shfl_down_sync(0xffffffffu, inside, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, (unsigned long long)inside);
}

__global__ void gaussians(float* out, int n, unsigned seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = seed + i * 747796405u;
    for (; i < n; i += gridDim.x * blockDim.x) {
        s = s * 747796405u + 2891336453u;
        unsigned w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
        float u = ((w >> 22) ^ w) * 2.3283064e-10f + 1e-7f;
        s = s * 747796405u + 2891336453u;
        float v = s * 2.3283064e-10f;
        out[i] = sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    }
}

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (local[b]) atomicAdd(&bins[b], local[b]);
}

__global__ void bitonicBlock(int* keys, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = t < n ? keys[blockIdx.x * n + t] : 0x7fffffff;
    __syncthreads();
    for (int k = 2; k <= blockDim.x; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            int p = t ^ j;
            if (p > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[p]) == up) {
                    int tmp = s[t];
                    s[t] = s[p];
                    s[p] = tmp;
                }
            }
            __syncthreads();
        }
    if (t < n) keys[blockIdx.x * n + t] = s[t];
}

__global__ void oddEven(float* v, int n, int phase) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 < n && v[i] > v[i + 1]) {
        float t = v[i];
        v[i] = v[i + 1];
        v[i + 1] = t;
    }
}

__global__ void radixCount(const unsigned* keys, int* counts, int n, int shift) {
    __shared__ int c[16];
    if (threadIdx.x < 16) c[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&c[(keys[i] >> shift) & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

__global__ void insertionSortRows(short* rows, int nrows, int width) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nrows) return;
    short* a = rows + r * width;
    for (int i = 1; i < width; i++) {
        short v = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
}

__global__ void countWords(const char* text, int n, int* words) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool starts = false;
    if (i < n) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        char before = i > 0 ? text[i - 1] : ' ';
        starts = letter && !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z'));
    }
    unsigned mask = __ballot_sync(0xffffffffu, starts);
    if (threadIdx.x % 32 == 0 && mask) atomicAdd(words, __popc(mask));
}

__global__ void naiveSearch(const char* text, int n, const char* pattern, int m, int* found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - m) return;
    int k = 0;
    for (; k < m; ++k)
        if (text[i + k] != pattern[k]) break;
    if (k == m) found[i] = 1;
}

__global__ void parseNumbers(const char* text, const int* starts, int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char* p = text + starts[i];
    int sign = 1, value = 0;
    if (*p == '-') {
        sign = -1;
        p++;
    }
    while (*p >= '0' && *p <= '9') value = value * 10 + (*p++ - '0');
    values[i] = sign * value;
}

__global__ void base64(const unsigned char* in, char* out, int triples) {
    const char* table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triples) return;
    unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    for (int k = 0; k < 4; k++) out[4 * i + k] = table[(v >> (18 - 6 * k)) & 63];
}

__device__ int interpret(const unsigned char* code, int length, int x) {
    int stack[8], top = 0;
    for (int pc = 0; pc < length; pc++) {
        switch (code[pc] % 7) {
            case 0:
                if (top < 8) stack[top++] = x;
                break;
            case 1:
                if (top < 8) stack[top++] = pc;
                break;
            case 2:
                if (top > 1) {
                    stack[top - 2] += stack[top - 1];
                    top--;
                }
                break;
            case 3:
                if (top > 1) {
                    stack[top - 2] *= stack[top - 1];
                    top--;
                }
                break;
            case 4:
                if (top > 0) stack[top - 1] = -stack[top - 1];
                break;
            case 5:
                if (top > 1) {
                    int t = stack[top - 1];
                    stack[top - 1] = stack[top - 2];
                    stack[top - 2] = t;
                }
                break;
            default:
                if (top > 0 && stack[top - 1] == 0) return x;
                break;
        }
    }
    return top > 0 ? stack[top - 1] : 0;
}

__global__ void machine(const unsigned char* code, int length, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = interpret(code, length, i);
}

__global__ void primes(unsigned* flags, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned prime = i > 1;
    for (unsigned d = 2; d * d <= i; d++)
        if (i % d == 0) {
            prime = 0;
            break;
        }
    flags[i] = prime;
}

__global__ void modPow(const unsigned* base, const unsigned* exponent, unsigned* out, unsigned m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long b = base[i] % m, r = 1;
    for (unsigned e = exponent[i]; e; e >>= 1) {
        if (e & 1) r = r * b % m;
        b = b * b % m;
    }
    out[i] = (unsigned)r;
}

// the queens' problem: one thread a first row's pair
__global__ void queens(int n, int* solutions) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n * n) return;
    int columns[12];
    columns[0] = t / n;
    columns[1] = t % n;
    int d = columns[0] - columns[1];
    if (d == 0 || d == 1 || d == -1) return;
    int row = 2, count = 0;
    columns[2] = -1;
    while (row >= 2) {
        int c = ++columns[row];
        if (c >= n) {
            row--;
            continue;
        }
        bool safe = true;
        for (int r = 0; r < row && safe; r++) {
            int x = columns[r];
            if (x == c || x - c == row - r || c - x == row - r) safe = false;
        }
        if (!safe) continue;
        if (row == n - 1)
            count++;
        else
            columns[++row] = -1;
    }
    atomicAdd(solutions, count);
}

int main() {
    const int n = 2000, grid = (n + 127) / 128;
    auto* words = wholes<uint32_t>(n * 10, ~0u);
    auto* out = zeros<uint32_t>(n * 4);
    hashRows<<<grid, 128>>>(words, out, n, 10);
    std::vector<char> text;
    std::vector<int> starts;
    uint32_t state = 77;
    for (int i = 0; i < n; ++i) {
        starts.push_back(text.size());
        if (next_number(state) % 3 == 0) text.push_back('-');
        for (int k = 1 + next_number(state) % 6; k > 0; --k) text.push_back('0' + next_number(state) % 10);
        text.push_back(0);
    }
    char* strings = in_device(text);
    int* at = in_device(starts);
    fnv<<<grid, 128>>>(strings, at, zeros<unsigned long long>(n), n);
    uint32_t k[16];
    for (uint32_t& v : k) v = next_number(state);
    cudaMemcpyToSymbol(K, k, sizeof k);
    quarterRounds<<<grid, 128>>>((uint4*)words, (uint4*)out, n, 20);
    auto* bytes = wholes<unsigned char>(n * 12, 256);
    crc32<<<grid, 128>>>(bytes, out, n, 7);
    auto* longs = wholes<unsigned long long>(n * 4, ~0u);
    hamming<<<dim3(grid, 3), 128>>>(longs, longs + 8, zeros<int>(n * 3), n, 4);
    morton<<<grid, 128>>>((int3*)words, out, n);
    pi<<<4, 128>>>(zeros<unsigned long long>(1), 50);
    gaussians<<<4, 128>>>(zeros<float>(n), n, 5);
    histogram<<<4, 128>>>(bytes, out, n * 12);
    bitonicBlock<<<4, 256, 256 * 4>>>(wholes(1000, 1000), 250);
    oddEven<<<8, 128>>>(reals(n), n, 1);
    radixCount<<<grid, 128>>>(words, zeros<int>(16 * grid), n, 8);
    insertionSortRows<<<2, 64>>>(wholes<short>(100 * 20, 1000), 100, 20);
    auto* letters = wholes<char>(n, 128);
    countWords<<<grid, 128>>>(letters, n, zeros<int>(1));
    naiveSearch<<<grid, 128>>>(strings, n, strings + 20, 6, zeros<int>(n));
    parseNumbers<<<grid, 128>>>(strings, at, zeros<int>(n), n);
    base64<<<grid, 128>>>(bytes, zeros<char>(n * 4), n);
    machine<<<4, 64>>>(bytes, 60, zeros<int>(256), 250);
    primes<<<grid, 128>>>(out, n);
    modPow<<<grid, 128>>>(words, words + 5, out, 1000003, n);
    queens<<<1, 64>>>(7, zeros<int>(1));
    return cudaDeviceSynchronize();
}
