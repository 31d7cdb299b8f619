// Physics, chemistry, geometry.
#include <cmath>

#include "inputs.h"

__constant__ float4 atominfo[256];
__global__ void energyGrid(int numatoms, float gridspacing, float* energygrid) {
    unsigned int xindex = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    unsigned int yindex = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int outaddr = gridDim.x * blockDim.x * 4 * yindex + xindex;
    float coory = gridspacing * yindex;
    float coorx = gridspacing * xindex;
    float e0 = 0, e1 = 0, e2 = 0, e3 = 0;
    float step = gridspacing * blockDim.x;
    for (int a = 0; a < numatoms; a++) {
        float dy = coory - atominfo[a].y;
        float dyz2 = dy * dy + atominfo[a].z;
        float dx1 = coorx - atominfo[a].x;
        float dx2 = dx1 + step, dx3 = dx2 + step, dx4 = dx3 + step;
        e0 += atominfo[a].w * rsqrtf(dx1 * dx1 + dyz2);
        e1 += atominfo[a].w * rsqrtf(dx2 * dx2 + dyz2);
        e2 += atominfo[a].w * rsqrtf(dx3 * dx3 + dyz2);
        e3 += atominfo[a].w * rsqrtf(dx4 * dx4 + dyz2);
    }
    energygrid[outaddr] += e0;
    energygrid[outaddr + blockDim.x] += e1;
    energygrid[outaddr + 2 * blockDim.x] += e2;
    energygrid[outaddr + 3 * blockDim.x] += e3;
}

__global__ void haversine(const double4* __restrict__ loc, double* __restrict__ dist, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double R = 6371.0, rad = 0.017453292519943295;
    double ay = loc[i].x * rad, ax = loc[i].y * rad, by = loc[i].z * rad, bx = loc[i].w * rad;
    double x = (bx - ax) / 2.0, y = (by - ay) / 2.0;
    double sx = x * x, sy = y * y;
    double a = sy + cos(ay) * cos(by) * sx;
    dist[i] = 2.0 * R * asin(sqrt(a));
}

__global__ void idw(const float* dx, const float* dy, const float* dz, int dnum, const float* ix,
                    const float* iy, float* iz, int inum, float area, const float* dist) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < inum) {
        float sum = 0.f, z = 0.f;
        float r_obs = dist[tid], r_exp = 1.0f / (2 * sqrtf(dnum / area));
        float R = r_obs / r_exp, u_R = 0;
        if (R >= 0) u_R = 0.5f - 0.5f * cosf(3.1415926f / 2.0f * (R - 0));
        if (R >= 2) u_R = 1;
        float alpha;
        if (u_R >= 0 && u_R <= 0.1f)
            alpha = 0.5f;
        else if (u_R > 0.1f && u_R <= 0.3f)
            alpha = 0.5f * (1 - 5 * (u_R - 0.1f)) + 5 * (u_R - 0.1f);
        else if (u_R > 0.3f && u_R <= 0.5f)
            alpha = 5 * (0.5f - u_R) * 1 + 2 * (5 * (u_R - 0.3f));
        else
            alpha = 3.0f;
        alpha *= 0.5f;
        for (int j = 0; j < dnum; j++) {
            float d = (ix[tid] - dx[j]) * (ix[tid] - dx[j]) + (iy[tid] - dy[j]) * (iy[tid] - dy[j]);
            float t = 1.0f / powf(d, alpha);
            sum += t;
            z += dz[j] * t;
        }
        iz[tid] = z / sum;
    }
}

__global__ void mdForce(float4* __restrict__ force, const float4* __restrict__ position, const int neighCount,
                        const int* __restrict__ neighList, const float cutsq, const float lj1,
                        const float lj2, const int inum) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < inum) {
        const float4 ipos = position[idx];
        float4 f = {0.f, 0.f, 0.f, 0.f};
        int j = 0;
        while (j < neighCount) {
            const int jidx = neighList[j * inum + idx];
            const float4 jpos = position[jidx];
            const float delx = ipos.x - jpos.x, dely = ipos.y - jpos.y, delz = ipos.z - jpos.z;
            float r2inv = delx * delx + dely * dely + delz * delz;
            if (r2inv > 0 && r2inv < cutsq) {
                r2inv = 1.0f / r2inv;
                const float r6inv = r2inv * r2inv * r2inv;
                const float F = r2inv * r6inv * (lj1 * r6inv - lj2);
                f.x += delx * F;
                f.y += dely * F;
                f.z += delz * F;
            }
            j++;
        }
        force[idx] = f;
    }
}

struct Lbm {
    static constexpr int q = 9;
};
__constant__ int cx[9], cy[9];
__constant__ double wq[9];
__global__ void lbmStep(const double* f, double* g, const unsigned char* solid, int nx, int ny,
                        double omega) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx || y >= ny) return;
    double in[Lbm::q], rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < Lbm::q; q++) {
        int sx = (x - cx[q] + nx) % nx, sy = (y - cy[q] + ny) % ny;
        in[q] = f[(q * ny + sy) * nx + sx];
        rho += in[q];
        ux += cx[q] * in[q];
        uy += cy[q] * in[q];
    }
    ux /= rho;
    uy /= rho;
    double uu = 1.5 * (ux * ux + uy * uy);
    bool wall = solid[y * nx + x] != 0;
    for (int q = 0; q < Lbm::q; q++) {
        double cu = 3.0 * (cx[q] * ux + cy[q] * uy);
        double eq = rho * wq[q] * (1.0 + cu + 0.5 * cu * cu - uu);
        g[(q * ny + y) * nx + x] = wall ? in[(q + 4) % 9] : in[q] + omega * (eq - in[q]);
    }
}

__global__ void thomas(const double* a, const double* b, const double* c, const double* d, double* x,
                       double* cp, double* dp, int n, int systems) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    cp[s] = c[s] / b[s];
    dp[s] = d[s] / b[s];
    for (int i = 1; i < n; i++) {
        int at = i * systems + s;
        double m = 1.0 / (b[at] - a[at] * cp[at - systems]);
        cp[at] = c[at] * m;
        dp[at] = (d[at] - a[at] * dp[at - systems]) * m;
    }
    x[(n - 1) * systems + s] = dp[(n - 1) * systems + s];
    for (int i = n - 2; i >= 0; i--)
        x[i * systems + s] = dp[i * systems + s] - cp[i * systems + s] * x[(i + 1) * systems + s];
}

__global__ void stencil27(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz,
                          float c0, float c1, float c2, float c3) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1) return;
    for (int k = 1; k < nz - 1; k++) {
        float faces = 0, edges = 0, corners = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int d = abs(dx) + abs(dy) + abs(dz);
                    float v = in[((k + dz) * ny + j + dy) * nx + i + dx];
                    if (d == 1) faces += v;
                    if (d == 2) edges += v;
                    if (d == 3) corners += v;
                }
        out[(k * ny + j) * nx + i] = c0 * in[(k * ny + j) * nx + i] + c1 * faces + c2 * edges + c3 * corners;
    }
}

__global__ void mriQ(int numK, int kGlobal, const float4* ck, const float* x, const float* y, const float* z,
                     float* Qr, float* Qi) {
    int xi = blockIdx.x * blockDim.x + threadIdx.x;
    float sX = x[xi], sY = y[xi], sZ = z[xi], sQr = Qr[xi], sQi = Qi[xi];
    int k = 0;
    if (numK % 2) {
        float e = 6.2831853f * (ck[0].x * sX + ck[0].y * sY + ck[0].z * sZ);
        sQr += ck[0].w * __cosf(e);
        sQi += ck[0].w * __sinf(e);
        k++;
        kGlobal++;
    }
    for (; k < 256 && kGlobal < numK; k += 2, kGlobal += 2) {
        float e = 6.2831853f * (ck[k].x * sX + ck[k].y * sY + ck[k].z * sZ);
        sQr += ck[k].w * __cosf(e);
        sQi += ck[k].w * __sinf(e);
        int k1 = k + 1;
        float e1 = 6.2831853f * (ck[k1].x * sX + ck[k1].y * sY + ck[k1].z * sZ);
        sQr += ck[k1].w * __cosf(e1);
        sQi += ck[k1].w * __sinf(e1);
    }
    Qr[xi] = sQr;
    Qi[xi] = sQi;
}

__device__ float2 cmul(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ float2 cadd(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 csub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__global__ void fftStockham(float2* data, int n) {
    extern __shared__ float2 sh[];
    float2 *src = sh, *dst = sh + n;
    float2* row = data + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) src[i] = row[i];
    __syncthreads();
    int half = n / 2;
    for (int l = half, m = 1; l >= 1; l >>= 1, m <<= 1) {
        for (int t = threadIdx.x; t < half; t += blockDim.x) {
            int j = t / m, k = t % m;
            float ang = -3.14159265f * j / l;
            float2 w = make_float2(cosf(ang), sinf(ang));
            float2 a = src[k + j * m], b = src[k + j * m + l * m];
            dst[k + 2 * j * m] = cadd(a, b);
            dst[k + 2 * j * m + m] = cmul(w, csub(a, b));
        }
        __syncthreads();
        float2* s = src;
        src = dst;
        dst = s;
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = src[i];
}

struct Sph {
    float x, y, z, rho, p;
};
__global__ void sphDensity(Sph* parts, const int* cellStart, const int* cellEnd, int cells, int n, float h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Sph me = parts[i];
    int cxi = (int)(me.x * cells), cyi = (int)(me.y * cells);
    float h2 = h * h, rho = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int gx = cxi + dx, gy = cyi + dy;
            if (gx < 0 || gy < 0 || gx >= cells || gy >= cells) continue;
            int cell = gy * cells + gx;
            for (int j = cellStart[cell]; j < cellEnd[cell]; j++) {
                float rx = parts[j].x - me.x, ry = parts[j].y - me.y, rz = parts[j].z - me.z;
                float r2 = rx * rx + ry * ry + rz * rz;
                if (r2 < h2) {
                    float t = h2 - r2;
                    rho += t * t * t;
                }
            }
        }
    parts[i].rho = rho * 315.0f / (64.0f * 3.14159f * powf(h, 9.0f));
    parts[i].p = fmaxf(0.0f, 100.0f * (parts[i].rho - 1000.0f));
}

__global__ void eulerFlux(const float* rho, const float* mx, const float* my, const float* e, float* frho,
                          float* fmx, float* fmy, float* fe, int n, float gamma) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1) return;
    float rl = rho[i], rr = rho[i + 1];
    float ul = mx[i] / rl, ur = mx[i + 1] / rr, vl = my[i] / rl, vr = my[i + 1] / rr;
    float pl = (gamma - 1.0f) * (e[i] - 0.5f * rl * (ul * ul + vl * vl));
    float pr = (gamma - 1.0f) * (e[i + 1] - 0.5f * rr * (ur * ur + vr * vr));
    float cl = sqrtf(gamma * fabsf(pl) / rl), cr = sqrtf(gamma * fabsf(pr) / rr);
    float a = fmaxf(fabsf(ul) + cl, fabsf(ur) + cr);
    frho[i] = 0.5f * (rl * ul + rr * ur) - 0.5f * a * (rr - rl);
    fmx[i] = 0.5f * (rl * ul * ul + pl + rr * ur * ur + pr) - 0.5f * a * (mx[i + 1] - mx[i]);
    fmy[i] = 0.5f * (rl * ul * vl + rr * ur * vr) - 0.5f * a * (my[i + 1] - my[i]);
    fe[i] = 0.5f * (ul * (e[i] + pl) + ur * (e[i + 1] + pr)) - 0.5f * a * (e[i + 1] - e[i]);
}

__global__ void chi2(int rows, int cols, int cases, int controls, const unsigned char* snp, float* result) {
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid >= cols) return;
    int cnt[2][3] = {{1, 1, 1}, {1, 1, 1}};
    for (int i = 0; i < cases; i++) {
        unsigned char y = snp[i * cols + tid];
        if (y == 0)
            cnt[0][0]++;
        else if (y == 1)
            cnt[0][1]++;
        else if (y == 2)
            cnt[0][2]++;
    }
    for (int i = cases; i < cases + controls; i++) {
        unsigned char y = snp[i * cols + tid];
        if (y == 0)
            cnt[1][0]++;
        else if (y == 1)
            cnt[1][1]++;
        else if (y == 2)
            cnt[1][2]++;
    }
    float chi = 0;
    for (int p = 0; p < 3; p++) {
        float total = cnt[0][p] + cnt[1][p];
        float ec = total * cases / rows, eo = total * controls / rows;
        chi += (cnt[0][p] - ec) * (cnt[0][p] - ec) / ec + (cnt[1][p] - eo) * (cnt[1][p] - eo) / eo;
    }
    result[tid] = chi;
}

__global__ void asianOption(float* result, int paths, int steps, float s0, float r, float sigma, float k,
                            unsigned seed) {
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= paths) return;
    unsigned s = seed ^ (id * 2654435761u);
    float dt = 1.0f / steps, drift = (r - 0.5f * sigma * sigma) * dt, vol = sigma * sqrtf(dt);
    float price = s0, sum = 0;
    for (int t = 0; t < steps; t++) {
        s = s * 1664525u + 1013904223u;
        float u1 = ((s >> 8) + 1) * (1.0f / 16777217.0f);
        s = s * 1664525u + 1013904223u;
        float u2 = (s >> 8) * (1.0f / 16777216.0f);
        float z = sqrtf(-2.0f * logf(u1)) * cosf(6.2831853f * u2);
        price *= expf(drift + vol * z);
        sum += price;
    }
    float pay = sum / steps - k;
    result[id] = pay > 0 ? expf(-r) * pay : 0;
}

__global__ void binomial(const float* S, const float* X, float* out, int steps, float vDt, float puByDf,
                         float pdByDf) {
    __shared__ float call[257];
    int tid = threadIdx.x;
    float s = S[blockIdx.x], x = X[blockIdx.x];
    for (int i = tid; i <= steps; i += blockDim.x) {
        float d = s * expf(vDt * (2.0f * i - steps)) - x;
        call[i] = d > 0 ? d : 0;
    }
    __syncthreads();
    for (int i = steps; i > 0; i--) {
        float v = 0;
        if (tid < i) v = puByDf * call[tid + 1] + pdByDf * call[tid];
        __syncthreads();
        if (tid < i) call[tid] = v;
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = call[0];
}

__global__ void complexPower(const double2* in, double2* out, int n, int power) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 b = in[i], r = make_double2(1, 0);
    int e = power;
    while (e) {
        if (e & 1) r = make_double2(r.x * b.x - r.y * b.y, r.x * b.y + r.y * b.x);
        b = make_double2(b.x * b.x - b.y * b.y, 2 * b.x * b.y);
        e >>= 1;
    }
    out[i] = r;
}

__global__ void gaussJordan(float* m, int n, int pivot) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n + 1 || row == pivot || col <= pivot) return;
    float f = m[row * (n + 1) + pivot] / m[pivot * (n + 1) + pivot];
    m[row * (n + 1) + col] -= f * m[pivot * (n + 1) + col];
}

__global__ void cholesky(float* a, int n) {
    extern __shared__ float l[];
    int t = threadIdx.x;
    for (int i = t; i < n * n; i += blockDim.x) l[i] = a[blockIdx.x * n * n + i];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 0) l[k * n + k] = sqrtf(l[k * n + k]);
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += blockDim.x) l[i * n + k] /= l[k * n + k];
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += blockDim.x)
            for (int j = k + 1; j <= i; j++) l[i * n + j] -= l[i * n + k] * l[j * n + k];
        __syncthreads();
    }
    for (int i = t; i < n * n; i += blockDim.x) a[blockIdx.x * n * n + i] = l[i];
}

int main() {
    const int n = 1 << 14;
    float *a = reals(n), *b = reals(n), *c = reals(n, 0.5, 2), *d = reals(n), *e = zeros<float>(n);
    double *da = reals<double>(n), *db = reals<double>(n, 2, 3), *dc = reals<double>(n),
           *dd = reals<double>(n), *de = zeros<double>(n);
    energyGrid<<<dim3(2, 8), dim3(16, 8)>>>(40, 0.1f, e);
    haversine<<<4, 128>>>((double4*)da, de, 500);
    idw<<<2, 128>>>(a, b, c, 100, d, a, e, 250, 10.f, c);
    mdForce<<<4, 64>>>((float4*)e, (float4*)a, 16, wholes(16 * 256, 256), 0.5f, 1.5f, 2.0f, 256);
    lbmStep<<<dim3(1, 16), 64>>>(db, de, wholes<unsigned char>(1024, 2), 60, 16, 1.1);
    thomas<<<2, 64>>>(da, db, dc, dd, de, reals<double>(n), reals<double>(n), 20, 128);
    stencil27<<<dim3(2, 4), dim3(16, 8)>>>(a, e, 24, 24, 20, 0.1f, 0.2f, 0.3f, 0.4f);
    mriQ<<<2, 128>>>(61, 0, (float4*)a, b, c, d, e, reals(n));
    fftStockham<<<4, 64, 2 * 256 * 8>>>((float2*)a, 256);
    std::vector<int> start(64), end(64);
    for (int i = 0; i < 64; i++) start[i] = i * 4, end[i] = i * 4 + 4;
    sphDensity<<<2, 128>>>((Sph*)reals(256 * 5), in_device(start), in_device(end), 8, 256, 0.3f);
    eulerFlux<<<4, 128>>>(c, a, b, d, e, e + 1024, e + 2048, e + 4096, 500, 1.4f);
    chi2<<<2, 64>>>(64, 128, 30, 34, wholes<unsigned char>(128 * 64, 3), e);
    asianOption<<<2, 128>>>(e, 250, 16, 100, 0.05f, 0.2f, 100, 12345);
    binomial<<<4, 256>>>(c, a, e, 200, 0.02f, 0.51f, 0.48f);
    complexPower<<<2, 128>>>((double2*)da, (double2*)de, 250, 13);
    gaussJordan<<<dim3(3, 4), dim3(16, 8)>>>(c, 32, 5);
    cholesky<<<4, 32, 24 * 24 * 4>>>(c, 24);
    return cudaDeviceSynchronize() != cudaSuccess;
}
