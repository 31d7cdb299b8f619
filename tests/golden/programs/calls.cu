// Divergence across calls.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ unsigned collatz(unsigned n) {
    unsigned steps = 0;
    while (n > 1 && steps < 500) n = n & 1 ? 3 * n + 1 : n / 2, ++steps;
    return steps;
}

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ unsigned both(unsigned a, unsigned b) {
    if (a > b) return collatz(a % 1000 + 1);
    return collatz(b % 500 + 1) + 1000;
}

struct Wide {
    unsigned long long a;
    unsigned b[5];
    float c;
};

__device__ __noinline__ Wide by_value(Wide w, unsigned k) {
    w.a += k;
    w.b[k % 5] ^= k;
    w.c = w.c * 2.0f + k;
    return w;
}

KERNEL divergent_calls(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 0;
    if (v & 1) r = collatz(v % 3000 + 1);
    else if (v & 2) r = both(v, in[i ^ 1]);
    out[i] = r;
}

KERNEL recursion(unsigned* out, const unsigned* in) {
    unsigned i = index();
    out[i] = fibonacci(in[i] % 13);
}

__device__ __noinline__ unsigned f0(unsigned a) { return a * 3; }
__device__ __noinline__ unsigned f1(unsigned a) { return a ^ 0xabcdef; }
__device__ __noinline__ unsigned f2(unsigned a) { return collatz(a & 0xff); }
__device__ unsigned (*const table[3])(unsigned) = {f0, f1, f2};

KERNEL function_pointers(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    unsigned r = table[v % 3](v);
    r += table[(v >> 8) % 3](r);
    out[i] = r;
}

struct Shape {
    __device__ virtual unsigned area(unsigned k) const = 0;
};
struct Square : Shape {
    unsigned side;
    __device__ explicit Square(unsigned s) : side(s) {}
    __device__ unsigned area(unsigned k) const override { return side * side + k; }
};
struct Strip : Shape {
    unsigned a, b;
    __device__ Strip(unsigned x, unsigned y) : a(x), b(y) {}
    __device__ unsigned area(unsigned k) const override { return collatz(a % 100) * b - k; }
};

KERNEL virtual_calls(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    Square square(v & 0xff);
    Strip strip(v >> 4 & 0xff, v >> 12 & 0xff);
    const Shape* shape = v & 1 ? static_cast<const Shape*>(&square) : &strip;
    out[i] = shape->area(i);
}

KERNEL structs_by_value(unsigned* out, const unsigned* in) {
    unsigned i = index();
    Wide w;
    w.a = in[i];
    for (unsigned k = 0; k < 5; ++k) w.b[k] = in[(i + k) & 4095];
    w.c = static_cast<float>(in[i] & 0xff);
    for (unsigned k = 0; k < in[i] % 9; ++k) w = by_value(w, k + i);
    unsigned r = static_cast<unsigned>(w.a) ^ static_cast<unsigned>(w.a >> 32) ^ __float_as_uint(w.c);
    for (unsigned k = 0; k < 5; ++k) r = r * 31 + w.b[k];
    out[i] = r;
}

// Lanes return from the middle of a function at different depths, then vote.
__device__ __noinline__ unsigned search(const unsigned* in, unsigned from) {
    for (unsigned k = 0; k < 64; ++k)
        if ((in[(from + k) & 4095] & 0x1f) == (from & 0x1f)) return k;
    return 64;
}

KERNEL return_then_vote(unsigned* out, const unsigned* in) {
    unsigned i = index();
    unsigned found = search(in, i * 7);
    __syncwarp();
    out[i] = __ballot_sync(0xffffffffu, found < 16) + found;
}
