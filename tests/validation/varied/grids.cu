// Stencils, images and matrices.
#include "inputs.h"

__global__ void heat1d(const float* in, float* out, int n, float alpha) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= 0 || i >= n - 1) return;
    out[i] = in[i] + alpha * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
}

#define RADIUS 4
__constant__ float weights[2 * RADIUS + 1];

__global__ void stencil1d_shared(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[128 + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int l = threadIdx.x + RADIUS;
    tile[l] = g < n ? in[g] : 0.0f;
    if (threadIdx.x < RADIUS) {
        tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0.0f;
        tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0.0f;
    }
    __syncthreads();
    if (g < n) {
        float sum = 0.0f;
        for (int k = -RADIUS; k <= RADIUS; k++) sum += weights[k + RADIUS] * tile[l + k];
        out[g] = sum;
    }
}

__global__ void wave2d(const double* prev, const double* cur, double* next, int nx, int ny, double c2) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
        int id = y * nx + x;
        double lap = cur[id - 1] + cur[id + 1] + cur[id - nx] + cur[id + nx] - 4.0 * cur[id];
        next[id] = 2.0 * cur[id] - prev[id] + c2 * lap;
    }
}

// 25 points in three dimensions, marching along z with a register queue
__global__ void march3d(const float* in, float* out, int nx, int ny, int nz) {
    __shared__ float plane[16 + 2][32 + 2];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t stride = (size_t)nx * ny;
    const bool inside = x < nx && y < ny;
    size_t at = (size_t)y * nx + x;
    float below = 0.f, here = inside ? in[at] : 0.f, above = 0.f;
    for (int z = 0; z < nz; ++z) {
        above = (inside && z + 1 < nz) ? in[at + stride] : 0.f;
        __syncthreads();
        plane[ty][tx] = here;
        if (threadIdx.x == 0) plane[ty][0] = (inside && x > 0) ? in[at - 1] : 0.f;
        if (threadIdx.x == 31) plane[ty][33] = (inside && x + 1 < nx) ? in[at + 1] : 0.f;
        if (threadIdx.y == 0) plane[0][tx] = (inside && y > 0) ? in[at - nx] : 0.f;
        if (threadIdx.y == 15) plane[17][tx] = (inside && y + 1 < ny) ? in[at + nx] : 0.f;
        __syncthreads();
        if (inside)
            out[at] = 0.4f * here + 0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                            plane[ty + 1][tx] + below + above);
        below = here;
        here = above;
        at += stride;
    }
}

__device__ inline int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

__global__ void boxBlur(const unsigned char* src, unsigned char* dst, int w, int h, int r) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0, count = 0;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
            int xx = clampi(x + dx, 0, w - 1), yy = clampi(y + dy, 0, h - 1);
            sum += src[yy * w + xx];
            count++;
        }
    dst[y * w + x] = (unsigned char)(sum / count);
}

__global__ void sobel(const uchar4* image, float* edges, int width, int height) {
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height) return;
    float gx = 0, gy = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) {
            int px = min(max(x + i, 0), width - 1), py = min(max(y + j, 0), height - 1);
            uchar4 p = image[py * width + px];
            float grey = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
            gx += grey * i * (j == 0 ? 2 : 1);
            gy += grey * j * (i == 0 ? 2 : 1);
        }
    edges[y * width + x] = sqrtf(gx * gx + gy * gy);
}

#define SORT2(a, b)                  \
    {                                \
        unsigned char t = min(a, b); \
        b = max(a, b);               \
        a = t;                       \
    }

__global__ void median3(const unsigned char* in, unsigned char* out, int pitch, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1) return;
    unsigned char v[9];
#pragma unroll
    for (int i = 0; i < 9; i++) v[i] = in[(y + i / 3 - 1) * pitch + x + i % 3 - 1];
    for (int pass = 0; pass < 5; pass++)
        for (int k = 0; k < 8 - pass; k++) SORT2(v[k], v[k + 1]);
    out[y * pitch + x] = v[4];
}

__global__ void bilateral(const float* in, float* out, int w, int h, float sigmaS, float sigmaR) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float center = in[y * w + x], total = 0.f, norm = 0.f;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int cx = x + dx, cy = y + dy;
            if (cx < 0 || cy < 0 || cx >= w || cy >= h) continue;
            float v = in[cy * w + cx];
            float g = expf(-(dx * dx + dy * dy) / (2.f * sigmaS * sigmaS)) *
                      expf(-(v - center) * (v - center) / (2.f * sigmaR * sigmaR));
            total += v * g;
            norm += g;
        }
    }
    out[y * w + x] = total / norm;
}

__global__ void transposePadded(const double* in, double* out, int rows, int cols) {
    __shared__ double tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x;
    r = blockIdx.x * 16 + threadIdx.y;
    if (r < cols && c < rows) out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

// each thread a 4x4 block of the product
__global__ void gemmRegisters(int m, int n, int k, const float* A, const float* B, float* C) {
    __shared__ float As[8][64 + 1], Bs[8][64];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[4][4] = {};
    for (int kk = 0; kk < k; kk += 8) {
        for (int i = tid; i < 64 * 8; i += 256) {
            int r = i / 8, c = i % 8;
            As[c][r] = (row0 + r < m && kk + c < k) ? A[(row0 + r) * k + kk + c] : 0.0f;
        }
        for (int i = tid; i < 8 * 64; i += 256) {
            int r = i / 64, c = i % 64;
            Bs[r][c] = (kk + r < k && col0 + c < n) ? B[(kk + r) * n + col0 + c] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < 8; ++p) {
            float a[4], b[4];
            for (int i = 0; i < 4; ++i) a[i] = As[p][threadIdx.y * 4 + i];
            for (int j = 0; j < 4; ++j) b[j] = Bs[p][threadIdx.x * 4 + j];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = row0 + threadIdx.y * 4 + i, c = col0 + threadIdx.x * 4 + j;
            if (r < m && c < n) C[r * n + c] += acc[i][j];
        }
}

__global__ void lifeStep(const char* cells, char* next, int side) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) alive += cells[((y + dy + side) % side) * side + (x + dx + side) % side];
    char self = cells[y * side + x];
    next[y * side + x] = (alive == 3 || (self && alive == 2)) ? 1 : 0;
}

__global__ void mandelbrot(int* iterations, int width, int height, float x0, float y0, float step,
                           int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cr = x0 + px * step, ci = y0 + py * step, zr = 0, zi = 0;
    int it = 0;
    while (it < limit && zr * zr + zi * zi < 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        ++it;
    }
    iterations[py * width + px] = it;
}

// red and black Gauss-Seidel
__global__ void redBlack(float* u, const float* f, int n, float h2, int colour) {
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < n - 1 && (i + j) % 2 == colour)
        u[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                u[i * n + j + 1] - h2 * f[i * n + j]);
}

// lattice Boltzmann, nine directions
__global__ void collide(float* f, const int* obstacle, int nx, int ny, float omega) {
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= nx) return;
    int cell = y * nx + x, n = nx * ny;
    if (obstacle[cell]) return;
    float rho = 0, ux = 0, uy = 0;
    for (int d = 0; d < 9; d++) {
        float v = f[d * n + cell];
        rho += v;
        ux += v * cx[d];
        uy += v * cy[d];
    }
    ux /= rho;
    uy /= rho;
    float usq = 1.5f * (ux * ux + uy * uy);
    for (int d = 0; d < 9; d++) {
        float cu = 3.f * (cx[d] * ux + cy[d] * uy);
        float eq = w[d] * rho * (1.f + cu + 0.5f * cu * cu - usq);
        f[d * n + cell] = f[d * n + cell] * (1.f - omega) + omega * eq;
    }
}

int main() {
    const int n = 4096, w = 100, h = 70;
    float host_weights[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; ++i) host_weights[i] = 1.0f / (i + 1);
    cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);
    float *a = reals(w * h * 9), *b = zeros<float>(w * h * 9);
    double *d = reals<double>(w * h), *e = reals<double>(w * h), *g = zeros<double>(w * h);
    heat1d<<<n / 128, 128>>>(a, b, n, 0.2f);
    stencil1d_shared<<<n / 128, 128>>>(a, b, n - 5);
    const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
    wave2d<<<grid, block>>>(d, e, g, w, h, 0.3);
    march3d<<<dim3(2, 3), dim3(32, 16)>>>(a, b, 60, 45, 10);
    auto *bytes = wholes<unsigned char>(w * h, 256), *more = zeros<unsigned char>(w * h);
    boxBlur<<<grid, block>>>(bytes, more, w, h, 3);
    sobel<<<dim3(2, 3), block>>>((uchar4*)bytes, b, 40, 20);
    median3<<<grid, block>>>(bytes, more, w, w, h);
    bilateral<<<grid, block>>>(a, b, w, h, 3.f, 0.2f);
    transposePadded<<<dim3(7, 5), dim3(16, 16)>>>(d, g, h, w);
    gemmRegisters<<<dim3(2, 2), dim3(16, 16)>>>(70, 100, 60, a, a + 5000, b);
    auto *cells = wholes<char>(64 * 64, 2), *next = zeros<char>(64 * 64);
    lifeStep<<<dim3(2, 8), block>>>(cells, next, 64);
    mandelbrot<<<grid, block>>>(zeros<int>(w * h), w, h, -2.f, -1.f, 0.03f, 50);
    redBlack<<<grid, block>>>(b, a, 64, 0.01f, 1);
    collide<<<dim3(1, h), 128>>>(a, wholes(w * h, 2), w, h, 0.6f);
    return cudaDeviceSynchronize();
}
