// Learning and pictures.
#include <cfloat>
#include <cmath>

#include "inputs.h"

template <typename T, typename G>
__global__ void adam(T* __restrict__ p, T* __restrict__ m, T* __restrict__ v, const G* __restrict__ g,
                     const float b1, const float b2, const float eps, const float grad_scale,
                     const float step_size, const int time_step, const size_t tsize, const float decay) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int totThreads = gridDim.x * blockDim.x;
    for (size_t j = i; j < tsize; j += totThreads) {
        for (int t = 0; t < time_step; t++) {
            T scaled_grad = g[j] / grad_scale;
            m[j] = b1 * m[j] + (1.f - b1) * scaled_grad;
            v[j] = b2 * v[j] + (1.f - b2) * scaled_grad * scaled_grad;
            float denom = sqrtf(v[j] + eps);
            float update = (m[j] / denom) + (decay * p[j]);
            p[j] -= (step_size * update);
        }
    }
}

template <int G>
__global__ void channelShuffle(const int N, const int C, const int HxW, const float* X, float* Y) {
    const int K = C / G;
    for (int n = blockIdx.z; n < N; n += gridDim.z)
        for (int c = blockIdx.y; c < C; c += gridDim.y) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < HxW) Y[(n * C + c) * HxW + i] = X[(n * C + (c % G) * K + c / G) * HxW + i];
        }
}

__global__ void crossEntropy(const int n, const int classes, const float* logits, const int* labels,
                             float* loss) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const float* x = logits + row * classes;
    float mx = -FLT_MAX;
    for (int c = 0; c < classes; c++) mx = fmaxf(mx, x[c]);
    float sum = 0.f;
    for (int c = 0; c < classes; c++) sum += expf(x[c] - mx);
    loss[row] = logf(sum) + mx - x[labels[row]];
}

__global__ void maxPool(const float* in, float* out, int* idx, int C, int H, int W, int k, int stride,
                        int pad) {
    int ow = (W + 2 * pad - k) / stride + 1, oh = (H + 2 * pad - k) / stride + 1;
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= C * oh * ow) return;
    int pw = index % ow;
    int ph = (index / ow) % oh;
    int c = index / ow / oh;
    int hs = ph * stride - pad, ws = pw * stride - pad;
    int he = min(hs + k, H), we = min(ws + k, W);
    hs = max(hs, 0);
    ws = max(ws, 0);
    float best = -FLT_MAX;
    int at = -1;
    const float* slice = in + c * H * W;
    for (int h = hs; h < he; ++h)
        for (int w = ws; w < we; ++w)
            if (slice[h * W + w] > best) {
                at = h * W + w;
                best = slice[at];
            }
    out[index] = best;
    idx[index] = at;
}

template <int R>
__global__ void conv2d(const float* __restrict__ img, const float* __restrict__ filt, float* __restrict__ out,
                       int w, int h) {
    __shared__ float tile[16 + 2 * R][16 + 2 * R];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int dy = threadIdx.y; dy < 16 + 2 * R; dy += 16)
        for (int dx = threadIdx.x; dx < 16 + 2 * R; dx += 16) {
            int gx = blockIdx.x * 16 + dx - R, gy = blockIdx.y * 16 + dy - R;
            tile[dy][dx] = (gx >= 0 && gx < w && gy >= 0 && gy < h) ? img[gy * w + gx] : 0.0f;
        }
    __syncthreads();
    if (x < w && y < h) {
        float acc = 0;
        for (int i = 0; i <= 2 * R; i++)
            for (int j = 0; j <= 2 * R; j++)
                acc += tile[threadIdx.y + i][threadIdx.x + j] * filt[i * (2 * R + 1) + j];
        out[y * w + x] = acc;
    }
}

__global__ void im2col(const float* im, float* col, int channels, int height, int width, int ksize, int pad,
                       int stride, int hcol, int wcol) {
    int n = channels * hcol * wcol;
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
        int w_out = index % wcol;
        int h_index = index / wcol;
        int h_out = h_index % hcol;
        int channel_in = h_index / hcol;
        int channel_out = channel_in * ksize * ksize;
        int h_in = h_out * stride - pad, w_in = w_out * stride - pad;
        float* col_ptr = col + (channel_out * hcol + h_out) * wcol + w_out;
        const float* im_ptr = im + (channel_in * height + h_in) * width + w_in;
        for (int i = 0; i < ksize; ++i)
            for (int j = 0; j < ksize; ++j) {
                int h = h_in + i, w = w_in + j;
                *col_ptr = (h >= 0 && w >= 0 && h < height && w < width) ? im_ptr[i * width + j] : 0;
                col_ptr += hcol * wcol;
            }
    }
}

__global__ void attention(const float* __restrict__ key, const float* __restrict__ value,
                          const float* __restrict__ query, float* __restrict__ dot, float* __restrict__ score,
                          float* __restrict__ out, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < d; j++) sum += key[i * d + j] * query[j];
        dot[i] = sum;
        atomicAdd(&score[0], expf(sum));
    }
    if (i < d) {
        float s = 0;
        for (int j = 0; j < n; j++) s += value[j * d + i];
        out[i] = s;
    }
}

__global__ void groupNorm(const float* x, float* y, const float* gamma, const float* beta, int C, int HW,
                          int groups, float eps) {
    __shared__ float s_sum[256], s_sq[256];
    int g = blockIdx.x, n = blockIdx.y;
    int cpg = C / groups, size = cpg * HW;
    const float* src = x + (n * C + g * cpg) * HW;
    float sum = 0, sq = 0;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        float v = src[i];
        sum += v;
        sq += v * v;
    }
    s_sum[threadIdx.x] = sum;
    s_sq[threadIdx.x] = sq;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            s_sum[threadIdx.x] += s_sum[threadIdx.x + s];
            s_sq[threadIdx.x] += s_sq[threadIdx.x + s];
        }
        __syncthreads();
    }
    float mean = s_sum[0] / size;
    float var = s_sq[0] / size - mean * mean;
    float rstd = 1.0f / sqrtf(var + eps);
    float* dst = y + (n * C + g * cpg) * HW;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        int c = g * cpg + i / HW;
        dst[i] = (src[i] - mean) * rstd * gamma[c] + beta[c];
    }
}

__global__ void gelu(const float4* in, float4* out, const float* bias, int n4, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4) return;
    float4 v = in[i];
    int c = (i * 4) % cols;
    float* p = reinterpret_cast<float*>(&v);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float t = p[k] + bias[c + k];
        p[k] = 0.5f * t * (1.0f + tanhf(0.7978845608f * (t + 0.044715f * t * t * t)));
    }
    out[i] = v;
}

__global__ void backpropHidden(const float* input, const float* weights, const float* delta, float* hidden,
                               int in, int hid) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= hid) return;
    double s = 0.0;
    for (int k = 0; k < in; k++) s += (double)weights[k * hid + j] * input[k];
    float o = (float)(1.0 / (1.0 + exp(-s)));
    hidden[j] = o * (1.0f - o) * delta[j];
}

__global__ void topK(const float* rows, float* values, int* indices, int cols) {
    const int K = 4;
    float best[K];
    int where[K];
    for (int i = 0; i < K; i++) best[i] = -1e30f, where[i] = -1;
    const float* r = rows + (blockIdx.x * blockDim.x + threadIdx.x) * cols;
    for (int c = 0; c < cols; c++) {
        float v = r[c];
        if (v > best[K - 1]) {
            int p = K - 1;
            while (p > 0 && v > best[p - 1]) {
                best[p] = best[p - 1];
                where[p] = where[p - 1];
                p--;
            }
            best[p] = v;
            where[p] = c;
        }
    }
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < K; i++) values[row * K + i] = best[i], indices[row * K + i] = where[i];
}

__global__ void embedding(const int* tokens, const float* table, const float* position, float* out, int n,
                          int dim) {
    for (int t = blockIdx.x; t < n; t += gridDim.x)
        for (int d = threadIdx.x; d < dim; d += blockDim.x)
            out[t * dim + d] = table[tokens[t] * dim + d] + position[t * dim + d];
}

__global__ void rgbToYuv(const uchar3* rgb, unsigned char* y, unsigned char* u, unsigned char* v, int w,
                         int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || r >= h) return;
    uchar3 p = rgb[r * w + x];
    int Y = ((66 * p.x + 129 * p.y + 25 * p.z + 128) >> 8) + 16;
    y[r * w + x] = (unsigned char)Y;
    if (!(x & 1) && !(r & 1)) {
        int U = ((-38 * p.x - 74 * p.y + 112 * p.z + 128) >> 8) + 128;
        int V = ((112 * p.x - 94 * p.y - 18 * p.z + 128) >> 8) + 128;
        u[(r / 2) * (w / 2) + x / 2] = (unsigned char)U;
        v[(r / 2) * (w / 2) + x / 2] = (unsigned char)V;
    }
}

__constant__ float dctBasis[64];
__global__ void dct8x8(const float* img, float* out, int pitch) {
    __shared__ float block[8][8], tmp[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    block[ty][tx] = img[y * pitch + x] - 128.f;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 8; k++) s += dctBasis[ty * 8 + k] * block[k][tx];
    tmp[ty][tx] = s;
    __syncthreads();
    s = 0;
    for (int k = 0; k < 8; k++) s += tmp[ty][k] * dctBasis[tx * 8 + k];
    out[y * pitch + x] = s;
}

__global__ void erode(const unsigned char* src, unsigned char* dst, int w, int h, int rx, int ry) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int lo = 255;
    int y0 = max(y - ry, 0), y1 = min(y + ry, h - 1);
    int x0 = max(x - rx, 0), x1 = min(x + rx, w - 1);
    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++) lo = min(lo, (int)src[j * w + i]);
    dst[y * w + x] = lo;
}

int main() {
    const int n = 1 << 14;
    float *a = reals(n), *b = reals(n), *c = reals(n), *d = reals(n);
    adam<float, float><<<32, 256>>>(a, b, c, d, 0.9f, 0.999f, 1e-8f, 256.f, 1e-3f, 3, n, 0.5f);
    channelShuffle<2><<<dim3(1, 16, 2), 256>>>(2, 16, 200, a, b);
    channelShuffle<4><<<dim3(1, 16, 2), 256>>>(2, 16, 200, a, b);
    int* labels = wholes(256, 10);
    crossEntropy<<<2, 128>>>(256, 10, a, labels, b);
    maxPool<<<16, 256>>>(a, b, labels = zeros<int>(n), 4, 32, 32, 3, 2, 1);
    conv2d<2><<<dim3(4, 4), dim3(16, 16)>>>(a, c, b, 60, 60);
    conv2d<1><<<dim3(4, 4), dim3(16, 16)>>>(a, c, b, 60, 60);
    float* col = zeros<float>(9 * n);
    im2col<<<8, 256>>>(a, col, 4, 32, 32, 3, 1, 1, 32, 32);
    attention<<<2, 128>>>(a, b, c, d, zeros<float>(1), col, 256, 64);
    groupNorm<<<dim3(4, 2), 256>>>(a, b, c, d, 16, 100, 4, 1e-5f);
    gelu<<<16, 256>>>((float4*)a, (float4*)b, c, n / 4, 64);
    backpropHidden<<<1, 64>>>(a, b, c, d, 100, 64);
    topK<<<2, 64>>>(a, b, zeros<int>(1024), 100);
    embedding<<<16, 64>>>(wholes(64, 100), a, b, c, 64, 128);
    rgbToYuv<<<dim3(4, 8), dim3(16, 8)>>>((uchar3*)wholes<unsigned char>(64 * 64 * 3, 256),
                                          zeros<unsigned char>(n), zeros<unsigned char>(n),
                                          zeros<unsigned char>(n), 64, 64);
    dct8x8<<<dim3(8, 8), dim3(8, 8)>>>(a, b, 64);
    erode<<<dim3(4, 8), dim3(16, 8)>>>(wholes<unsigned char>(64 * 64, 256), zeros<unsigned char>(n), 60, 60,
                                       2, 3);
    return cudaDeviceSynchronize() != cudaSuccess;
}
