// Physics, finance and numbers: structs, functors, references, float, double, half and complex.
#include <cuda_fp16.h>

#include "inputs.h"

struct Body {
    float3 position, velocity;
    float mass;
};

__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void gravity(Body* bodies, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 p = bodies[i].position, a = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++) {
        float3 r = bodies[j].position - p;
        float d2 = dot(r, r) + 1e-4f;
        float inv = rsqrtf(d2);
        a = a + (bodies[j].mass * inv * inv * inv) * r;
    }
    bodies[i].velocity = bodies[i].velocity + dt * a;
}

__global__ void gravityTiled(const float4* pos, float4* acc, int n) {
    extern __shared__ float4 sh[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = pos[i];
    float ax = 0, ay = 0, az = 0;
    for (int tile = 0; tile < n / blockDim.x; tile++) {
        sh[threadIdx.x] = pos[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < blockDim.x; k++) {
            float dx = sh[k].x - me.x, dy = sh[k].y - me.y, dz = sh[k].z - me.z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            float f = sh[k].w / (d * sqrtf(d));
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0);
}

struct Particle {
    double x, y, vx, vy;
    int alive;
};

__device__ void bounce(double& p, double& v, double limit) {
    if (p < 0) {
        p = -p;
        v = -v;
    } else if (p > limit) {
        p = 2 * limit - p;
        v = -v;
    }
}

__global__ void moveParticles(Particle* list, int n, double dt, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = list[i];
    if (!p.alive) return;
    for (int s = 0; s < steps; s++) {
        p.vy -= 9.81 * dt;
        p.x += p.vx * dt;
        p.y += p.vy * dt;
        bounce(p.x, p.vx, 10.0);
        bounce(p.y, p.vy, 10.0);
    }
    list[i] = p;
}

__device__ double cnd(double d) {
    double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    double poly =
        k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.39894228040143267794 * exp(-0.5 * d * d) * poly;
    return d > 0 ? 1.0 - c : c;
}

__global__ void optionPrices(const double* S, const double* X, const double* T, double* call, double* put,
                             double r, double v, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double sq = sqrt(T[i]);
        double d1 = (log(S[i] / X[i]) + (r + 0.5 * v * v) * T[i]) / (v * sq), d2 = d1 - v * sq;
        double c1 = cnd(d1), c2 = cnd(d2), e = exp(-r * T[i]);
        call[i] = S[i] * c1 - X[i] * e * c2;
        put[i] = X[i] * e * (1.0 - c2) - S[i] * (1.0 - c1);
    }
}

template <typename F, typename T>
__global__ void integrate(F f, T a, T h, int steps, T* partial) {
    __shared__ T sums[128];
    T sum = 0;
    int total = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < steps; i += total) {
        T x = a + (i + (T)0.5) * h;
        sum += f(x);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0] * h;
}

struct Rational {
    float p, q;
    __device__ float operator()(float x) const { return (p + x) / (q + x * x); }
};
struct Wavy {
    double k;
    __device__ double operator()(double x) const { return sin(k * x) * x; }
};

struct Complex {
    float re, im;
    __host__ __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
    __device__ Complex operator*(const Complex& o) const {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
    __device__ Complex operator+(const Complex& o) const { return {re + o.re, im + o.im}; }
    __device__ float norm2() const { return re * re + im * im; }
};

__global__ void julia(float* out, int w, int h, Complex c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    Complex z(3.f * x / w - 1.5f, 2.f * y / h - 1.f);
    int i;
    for (i = 0; i < 64; i++) {
        z = z * z + c;
        if (z.norm2() > 16.f) break;
    }
    out[y * w + x] = i / 64.f;
}

__global__ void dft(const float2* in, float2* out, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    float re = 0, im = 0;
    for (int t = 0; t < n; t++) {
        float s, c;
        sincosf(-6.283185307f * k * t / n, &s, &c);
        float2 v = in[t];
        re += v.x * c - v.y * s;
        im += v.x * s + v.y * c;
    }
    out[k] = make_float2(re, im);
}

__global__ void halfAxpy(int n, __half a, const __half* x, __half* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hadd(__hmul(a, x[i]), y[i]);
}

__global__ void halfSoftmax(const __half* in, __half* out, int cols) {
    const __half* row = in + blockIdx.x * cols;
    float top = -1e30f;
    for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, __half2float(row[c]));
    for (int o = 16; o; o /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32) sum += __expf(__half2float(row[c]) - top);
    for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
    for (int c = threadIdx.x; c < cols; c += 32)
        out[blockIdx.x * cols + c] = __float2half(__expf(__half2float(row[c]) - top) / sum);
}

__global__ void layerNorm(const float* x, const float* gamma, const float* beta, float* y, int cols,
                          float eps) {
    __shared__ float mean, var;
    __shared__ float part[32];
    int row = blockIdx.x;
    float s = 0.f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) s += x[row * cols + i];
    for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0;
        for (int i = 0; i < blockDim.x / warpSize; i++) t += part[i];
        mean = t / cols;
    }
    __syncthreads();
    s = 0.f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float d = x[row * cols + i] - mean;
        s += d * d;
    }
    for (int o = warpSize / 2; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0;
        for (int i = 0; i < blockDim.x / warpSize; i++) t += part[i];
        var = rsqrtf(t / cols + eps);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[row * cols + i] = (x[row * cols + i] - mean) * var * gamma[i] + beta[i];
}

__device__ void derivative(const float* s, float* d, float sigma, float rho, float beta) {
    d[0] = sigma * (s[1] - s[0]);
    d[1] = s[0] * (rho - s[2]) - s[1];
    d[2] = s[0] * s[1] - beta * s[2];
}

__global__ void lorenz(float* states, int n, int steps, float h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s[3] = {states[i], states[i + n], states[i + 2 * n]};
    for (int t = 0; t < steps; t++) {
        float k1[3], k2[3], k3[3], k4[3], y[3];
        derivative(s, k1, 10.f, 28.f, 2.6667f);
        for (int j = 0; j < 3; j++) y[j] = s[j] + 0.5f * h * k1[j];
        derivative(y, k2, 10.f, 28.f, 2.6667f);
        for (int j = 0; j < 3; j++) y[j] = s[j] + 0.5f * h * k2[j];
        derivative(y, k3, 10.f, 28.f, 2.6667f);
        for (int j = 0; j < 3; j++) y[j] = s[j] + h * k3[j];
        derivative(y, k4, 10.f, 28.f, 2.6667f);
        for (int j = 0; j < 3; j++) s[j] += h / 6.f * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
    states[i] = s[0];
    states[i + n] = s[1];
    states[i + 2 * n] = s[2];
}

// systems of N equations with N unknowns, one a thread
template <int N>
__global__ void solveSmall(const double* A, double* b, int systems) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= systems) return;
    double m[N][N], r[N];
    for (int i = 0; i < N; i++) {
        r[i] = b[id * N + i];
        for (int j = 0; j < N; j++) m[i][j] = A[(id * N + i) * N + j];
    }
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double f = m[i][k] / m[k][k];
            for (int j = k; j < N; j++) m[i][j] -= f * m[k][j];
            r[i] -= f * r[k];
        }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) r[i] -= m[i][j] * r[j];
        r[i] /= m[i][i];
    }
    for (int i = 0; i < N; i++) b[id * N + i] = r[i];
}

__global__ void tridiagonal(const float* a, const float* b, const float* c, float* d, float* work, int n,
                            int count) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= count) return;
    work[s] = c[s] / b[s];
    d[s] = d[s] / b[s];
    for (int i = 1; i < n; i++) {
        int at = i * count + s;
        float m = 1.f / (b[at] - a[at] * work[at - count]);
        work[at] = c[at] * m;
        d[at] = (d[at] - a[at] * d[at - count]) * m;
    }
    for (int i = n - 2; i >= 0; i--) d[i * count + s] -= work[i * count + s] * d[(i + 1) * count + s];
}

__global__ void lennardJones(const float3* pos, const int* neighbours, const int* counts, float3* force,
                             float* energy, int n, int most, float cut2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 p = pos[i], f = {0, 0, 0};
    float e = 0;
    int c = counts[i];
    for (int k = 0; k < c; k++) {
        int j = neighbours[k * n + i];
        float dx = p.x - pos[j].x, dy = p.y - pos[j].y, dz = p.z - pos[j].z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cut2 && r2 > 0) {
            float i2 = 1.0f / r2, i6 = i2 * i2 * i2;
            float s = 24.f * i6 * (2.f * i6 - 1.f) * i2;
            f.x += s * dx;
            f.y += s * dy;
            f.z += s * dz;
            e += 4.f * i6 * (i6 - 1.f);
        }
    }
    force[i] = f;
    energy[i] = e;
}

struct Ray {
    float3 from, to;
};

__global__ void spheres(const Ray* rays, const float4* balls, int count, int* hit, float* depth, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Ray r = rays[i];
    float nearest = 1e20f;
    int best = -1;
    for (int s = 0; s < count; s++) {
        float4 b = balls[s];
        float3 oc = r.from - make_float3(b.x, b.y, b.z);
        float bb = dot(oc, r.to), cc = dot(oc, oc) - b.w * b.w, disc = bb * bb - cc;
        if (disc < 0) continue;
        float t = -bb - sqrtf(disc);
        if (t > 1e-3f && t < nearest) {
            nearest = t;
            best = s;
        }
    }
    hit[i] = best;
    depth[i] = best < 0 ? 0.f : nearest;
}

__global__ void specialFunctions(const float* x, float* y, int n, int kind) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], r;
    switch (kind) {
        case 0: r = tanhf(v); break;
        case 1: r = erff(v); break;
        case 2: r = powf(v, 1.7f); break;
        case 3: r = atan2f(v, 0.5f); break;
        case 4: r = fmodf(v, 0.3f); break;
        case 5: r = floorf(v) + ceilf(v) + roundf(v); break;
        default: r = v;
    }
    y[i] = r;
}

int main() {
    const int n = 512, grid = n / 128;
    float *a = reals(n * 16, 0.1, 2), *b = zeros<float>(n * 16);
    double *d = reals<double>(n * 40, 0.5, 2), *e = zeros<double>(n * 16);
    gravity<<<grid, 128>>>((Body*)a, 400, 0.01f);
    gravityTiled<<<grid, 128, 128 * 16>>>((float4*)a, (float4*)b, n);
    moveParticles<<<grid, 128>>>((Particle*)d, 300, 0.01, 20);
    optionPrices<<<2, 128>>>(d, d + n, d + 2 * n, e, e + n, 0.02, 0.3, n);
    integrate<<<2, 128>>>(Rational{1, 2}, 0.f, 0.001f, 1000, b);
    integrate<<<2, 128>>>(Wavy{3}, 0., 0.001, 1000, e);
    julia<<<dim3(2, 8), dim3(32, 4)>>>(b, 64, 30, Complex(-0.7f, 0.27f));
    dft<<<1, 128>>>((float2*)a, (float2*)b, 100);
    auto* h = (__half*)wholes<unsigned short>(n * 4, 0x3c00);
    halfAxpy<<<grid, 128>>>(n - 3, __float2half(0.5f), h, h + n);
    halfSoftmax<<<20, 32>>>(h, h + 2 * n, 50);
    layerNorm<<<8, 128>>>(a, a, a + 5, b, 300, 1e-5f);
    lorenz<<<grid, 128>>>(a, n, 10, 0.01f);
    solveSmall<3><<<grid, 128>>>(d, e, n - 1);
    solveSmall<5><<<2, 128>>>(d, e, 200);
    tridiagonal<<<1, 128>>>(a, a + 1, a + 2, b, b + 4000, 20, 100);
    lennardJones<<<grid, 128>>>((float3*)a, wholes(n * 20, n), wholes(n, 20), (float3*)b, b + 3 * n, n, 20,
                                1.5f);
    spheres<<<grid, 128>>>((Ray*)a, (float4*)a, 30, zeros<int>(n), b, n);
    for (int k = 0; k < 6; ++k) specialFunctions<<<grid, 128>>>(a, b, n, k);
    return cudaDeviceSynchronize();
}
