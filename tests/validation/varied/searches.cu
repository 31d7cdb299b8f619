// Scans, reductions, graphs, trees, sparse matrices and dynamic programming.
#include "inputs.h"

__global__ void scanBlock(const int* in, int* out, int* sums, int n) {
    __shared__ int temp[2 * 128];
    int t = threadIdx.x, base = blockIdx.x * 256;
    temp[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    temp[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    int offset = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = temp[255];
        temp[255] = 0;
    }
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            int v = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += v;
        }
    }
    __syncthreads();
    if (base + 2 * t < n) out[base + 2 * t] = temp[2 * t];
    if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = temp[2 * t + 1];
}

template <class T, class Op>
__device__ T warpScan(T v, Op op) {
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        T other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v = op(other, v);
    }
    return v;
}

struct Max {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a > b ? a : b;
    }
};
struct Plus {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

template <class T, class Op>
__global__ void scanWarps(T* data, int n, Op op) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = i < n ? data[i] : T();
    v = warpScan(v, op);
    if (i < n) data[i] = v;
}

__global__ void compact(const int* in, int* out, int* counter, int n, int threshold) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > threshold;
    unsigned mask = __ballot_sync(0xffffffff, keep);
    int lane = threadIdx.x & 31, base = 0;
    if (lane == 0) base = atomicAdd(counter, __popc(mask));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void argMax(const float* v, int n, float* best, int* where) {
    __shared__ float vals[256];
    __shared__ int idx[256];
    int t = threadIdx.x;
    float m = -3.4e38f;
    int mi = -1;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        if (v[i] > m) {
            m = v[i];
            mi = i;
        }
    vals[t] = m;
    idx[t] = mi;
    __syncthreads();
    for (int s = 128; s >= 1; s /= 2) {
        if (t < s && vals[t + s] > vals[t]) {
            vals[t] = vals[t + s];
            idx[t] = idx[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        best[blockIdx.x] = vals[0];
        where[blockIdx.x] = idx[0];
    }
}

__global__ void variance(const double* x, int n, double* result) {
    double s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s += x[i];
        q += x[i] * x[i];
    }
    __shared__ double sh[2][8];
    for (int o = 16; o > 0; o >>= 1) {
        s += __shfl_xor_sync(0xffffffff, s, o);
        q += __shfl_xor_sync(0xffffffff, q, o);
    }
    if (threadIdx.x % 32 == 0) {
        sh[0][threadIdx.x / 32] = s;
        sh[1][threadIdx.x / 32] = q;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s = q = 0;
        for (int w = 0; w < (blockDim.x + 31) / 32; w++) {
            s += sh[0][w];
            q += sh[1][w];
        }
        *result = q / n - (s / n) * (s / n);
    }
}

__global__ void spmvScalar(int rows, const int* ptr, const int* col, const double* val, const double* x,
                           double* y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        double sum = 0;
        int end = ptr[r + 1];
        for (int k = ptr[r]; k < end; k++) sum += val[k] * x[col[k]];
        y[r] = sum;
    }
}

__global__ void spmvVector(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                           const float* __restrict__ val, const float* __restrict__ x, float* y) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= rows) return;
    float sum = 0;
    for (int k = ptr[warp] + lane; k < ptr[warp + 1]; k += 32) sum += val[k] * x[col[k]];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
    if (lane == 0) y[warp] = sum;
}

__global__ void bfsLevel(const int* ptr, const int* adj, int* level, int n, int depth, int* changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = ptr[v]; e < ptr[v + 1]; ++e) {
        int u = adj[e];
        if (level[u] < 0) {
            level[u] = depth + 1;
            *changed = 1;
        }
    }
}

__global__ void relax(const int3* edges, int m, int* dist, bool* again) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int3 edge = edges[e];
    if (dist[edge.x] == 0x7fffffff) return;
    int d = dist[edge.x] + edge.z;
    if (d < dist[edge.y]) {
        atomicMin(&dist[edge.y], d);
        *again = true;
    }
}

__global__ void pageRank(const int* ptr, const int* from, const float* rank, const int* degree, float* next,
                         int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float sum = 0;
    for (int e = ptr[v]; e < ptr[v + 1]; e++) {
        int u = from[e];
        if (degree[u] > 0) sum += rank[u] / degree[u];
    }
    next[v] = 0.15f / n + 0.85f * sum;
}

__global__ void triangles(const int* ptr, const int* adj, int n, unsigned* total) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    unsigned found = 0;
    for (int e = ptr[v]; e < ptr[v + 1]; e++) {
        int u = adj[e];
        int i = ptr[v], j = ptr[u];
        while (i < ptr[v + 1] && j < ptr[u + 1]) {
            if (adj[i] == adj[j]) {
                found++;
                i++;
                j++;
            } else if (adj[i] < adj[j])
                i++;
            else
                j++;
        }
    }
    if (found) atomicAdd(total, found);
}

__global__ void unionFind(int* parent, const int2* edges, int m) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int a = edges[e].x, b = edges[e].y;
    while (true) {
        while (a != parent[a]) a = parent[a];
        while (b != parent[b]) b = parent[b];
        if (a == b) break;
        int hi = max(a, b), lo = min(a, b);
        int old = atomicCAS(&parent[hi], hi, lo);
        if (old == hi) break;
        a = old;
        b = lo;
    }
}

__global__ void binarySearch(const float* sorted, int n, const float* keys, int* where, int m) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= m) return;
    float key = keys[k];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (sorted[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    where[k] = lo;
}

struct Node {
    float split;
    int left, right;
    short axis, leaf;
};

__global__ void treeWalk(const Node* nodes, const float* points, int dims, int* label, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* p = points + i * dims;
    int at = 0;
    while (!nodes[at].leaf) {
        const Node& node = nodes[at];
        at = p[node.axis] < node.split ? node.left : node.right;
    }
    label[i] = at;
}

__global__ void rangeCount(const float* tree, const float2* ranges, int* counts, int n, int queries) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    int stack[32], top = 0, count = 0;
    stack[top++] = 0;
    float2 r = ranges[q];
    if (r.x > r.y) {
        float t = r.x;
        r.x = r.y;
        r.y = t;
    }
    while (top > 0) {
        int node = stack[--top];
        if (node >= n) continue;
        float v = tree[node];
        if (v >= r.x && v <= r.y) count++;
        if (v >= r.x) stack[top++] = 2 * node + 1;
        if (v <= r.y) stack[top++] = 2 * node + 2;
    }
    counts[q] = count;
}

__global__ void floyd(int* d, int n, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n) return;
    int through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j]) d[i * n + j] = through;
}

__global__ void levenshtein(const char* a, const char* b, int la, int lb, int* result, int pairs) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    a += p * la;
    b += p * lb;
    unsigned char row[33];
    for (int j = 0; j <= lb; j++) row[j] = j;
    for (int i = 1; i <= la; i++) {
        int diag = row[0];
        row[0] = i;
        for (int j = 1; j <= lb; j++) {
            int up = row[j];
            int best = diag + (a[i - 1] != b[j - 1]);
            best = min(best, min(up + 1, row[j - 1] + 1));
            row[j] = best;
            diag = up;
        }
    }
    result[p] = row[lb];
}

__global__ void knapsack(const int* prev, int* next, int capacity, int weight, int value) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c > capacity) return;
    int best = prev[c];
    if (c >= weight && prev[c - weight] + value > best) best = prev[c - weight] + value;
    next[c] = best;
}

__global__ void kmeansAssign(const float* points, const float* centres, int* owner, int n, int k, int dims) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0;
    float bestDistance = 3.4e38f;
    for (int c = 0; c < k; c++) {
        float d = 0;
        for (int j = 0; j < dims; j++) {
            float t = points[j * n + i] - centres[c * dims + j];
            d += t * t;
        }
        if (d < bestDistance) {
            bestDistance = d;
            best = c;
        }
    }
    owner[i] = best;
}

__global__ void nearest(const float2* points, int n, float* smallest) {
    __shared__ float2 tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float2 p = i < n ? points[i] : make_float2(0, 0);
    float m = 1e30f;
    for (int base = 0; base < n; base += 64) {
        if (base + threadIdx.x < n) tile[threadIdx.x] = points[base + threadIdx.x];
        __syncthreads();
        int limit = min(64, n - base);
        for (int j = 0; j < limit; j++) {
            if (base + j == i) continue;
            float dx = tile[j].x - p.x, dy = tile[j].y - p.y;
            m = fminf(m, dx * dx + dy * dy);
        }
        __syncthreads();
    }
    if (i < n) smallest[i] = sqrtf(m);
}

__global__ void hashInsert(unsigned* table, const unsigned* keys, int n, int mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = keys[i] | 1;
    unsigned slot = (key * 2654435761u) & mask;
    for (int tries = 0; tries <= mask; tries++) {
        unsigned old = atomicCAS(&table[slot], 0u, key);
        if (old == 0 || old == key) return;
        slot = (slot + 1) & mask;
    }
}

__global__ void matrixPowers(const float (*m)[3][3], float (*out)[3][3], int n, int power) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int p = 0; p < power; p++) {
        float t[3][3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                t[a][b] = 0;
                for (int c = 0; c < 3; c++) t[a][b] += r[a][c] * m[i][c][b];
            }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) r[a][b] = t[a][b];
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) out[i][a][b] = r[a][b];
}

int main() {
    const int n = 1000, grid = (n + 127) / 128;
    int *a = wholes(n * 8, 100), *b = zeros<int>(n * 8);
    float* f = reals(n * 20);
    scanBlock<<<4, 128>>>(a, b, zeros<int>(4), n - 1);
    scanWarps<<<grid, 128>>>(wholes(n, 100), n, Plus());
    scanWarps<<<grid, 128>>>(reals(n), n, Max());
    compact<<<grid, 128>>>(a, b, zeros<int>(1), n, 50);
    argMax<<<2, 256>>>(f, n, zeros<float>(2), b);
    double* d = reals<double>(n * 10);
    variance<<<1, 256>>>(d, n, zeros<double>(1));
    std::vector<int> rows = {0};
    uint32_t state = 5;
    for (int i = 0; i < n; ++i) rows.push_back(rows.back() + next_number(state) % 9);
    int *ptr = in_device(rows), *adj = wholes(rows.back() + 1, n);
    spmvScalar<<<grid, 128>>>(n, ptr, adj, d, d, zeros<double>(n));
    spmvVector<<<100, 128>>>(400, ptr, adj, f, f, zeros<float>(n));
    std::vector<int> levels(n, -1);
    for (int i = 0; i < n; i += 3) levels[i] = 2;
    bfsLevel<<<grid, 128>>>(ptr, adj, in_device(levels), n, 2, zeros<int>(1));
    relax<<<2, 128>>>((int3*)a, 250, wholes(100, 1000), (bool*)zeros<char>(1));
    pageRank<<<grid, 128>>>(ptr, adj, f, wholes(n, 5), zeros<float>(n), n);
    triangles<<<2, 128>>>(ptr, adj, 200, zeros<unsigned>(1));
    std::vector<int> own(100);
    for (int i = 0; i < 100; ++i) own[i] = i;
    unionFind<<<1, 64>>>(in_device(own), (int2*)a, 60);
    std::vector<float> sorted;
    for (int i = 0; i < n; ++i) sorted.push_back(i / float(n));
    binarySearch<<<grid, 128>>>(in_device(sorted), n, f, b, n);
    std::vector<Node> nodes;
    for (int i = 0; i < 127; ++i)
        nodes.push_back({(next_number(state) % 100) / 100.f, 2 * i + 1, 2 * i + 2,
                         short(next_number(state) % 4), short(i >= 63)});
    treeWalk<<<grid, 128>>>(in_device(nodes), f, 4, b, n);
    std::vector<float> heap(255);
    for (int i = 0; i < 255; ++i) heap[i] = (i * 37 % 255) / 255.f;
    rangeCount<<<2, 64>>>(in_device(heap), (float2*)f, b, 255, 120);
    floyd<<<dim3(1, 60), 64>>>(wholes(60 * 60, 1000), 60, 7);
    levenshtein<<<1, 64>>>((char*)a, (char*)a + 500, 12, 15, b, 60);
    knapsack<<<grid, 128>>>(a, b, n - 1, 13, 40);
    kmeansAssign<<<grid, 128>>>(f, f + 7000, b, n, 5, 6);
    nearest<<<10, 64>>>((float2*)f, 600, zeros<float>(n));
    hashInsert<<<grid, 128>>>(zeros<unsigned>(2048), wholes<unsigned>(n, 5000), n, 2047);
    matrixPowers<<<2, 128>>>((float(*)[3][3])f, (float(*)[3][3])zeros<float>(2000), 200, 5);
    return cudaDeviceSynchronize();
}
