// ldmatrix, stmatrix and movmatrix: 8 by 8 matrices of 16-bit elements between shared memory and registers.
#define KERNEL extern "C" __global__ void

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Rows of 16 bytes in an order that only the input gives; lanes' addresses beyond the rows that an instruction takes
// must not matter.
#define LOAD(name, op, registers, outputs, ...)                                                         \
    KERNEL name(unsigned* out, const unsigned* in) {                                                    \
        __shared__ __align__(16) unsigned rows[64][4];                                                  \
        unsigned lane = threadIdx.x, r[4] = {};                                                         \
        for (int i = 0; i < 8; ++i) (&rows[0][0])[i * 32 + lane] = in[i * 32 + lane];                   \
        __syncwarp();                                                                                   \
        unsigned address = shared_address(rows[in[300 + lane] % 64]);                                   \
        asm volatile("ldmatrix.sync.aligned.m8n8." op " {" registers "}, [%" #outputs "];"              \
                     : __VA_ARGS__                                                                      \
                     : "r"(address)                                                                     \
                     : "memory");                                                                       \
        for (int i = 0; i < 4; ++i) out[lane * 4 + i] = r[i];                                           \
    }
LOAD(ldmatrix_x1, "x1.shared.b16", "%0", 1, "=r"(r[0]))
LOAD(ldmatrix_x2, "x2.shared.b16", "%0,%1", 2, "=r"(r[0]), "=r"(r[1]))
LOAD(ldmatrix_x4, "x4.shared.b16", "%0,%1,%2,%3", 4, "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]))
LOAD(ldmatrix_x1_trans, "x1.trans.shared.b16", "%0", 1, "=r"(r[0]))
LOAD(ldmatrix_x2_trans, "x2.trans.shared::cta.b16", "%0,%1", 2, "=r"(r[0]), "=r"(r[1]))
LOAD(ldmatrix_x4_trans, "x4.trans.shared.b16", "%0,%1,%2,%3", 4, "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]))

#define STORE(name, op, registers, ...)                                                                 \
    KERNEL name(unsigned* out, const unsigned* in) {                                                    \
        __shared__ __align__(16) unsigned rows[32][4];                                                  \
        unsigned lane = threadIdx.x;                                                                    \
        for (int i = 0; i < 4; ++i) (&rows[0][0])[i * 32 + lane] = 0;                                   \
        __syncwarp();                                                                                   \
        unsigned address = shared_address(rows[(lane * 5 + 3) % 32]);                                   \
        asm volatile("stmatrix.sync.aligned.m8n8." op " [%0], {" registers "};" ::"r"(address), __VA_ARGS__ : "memory"); \
        __syncwarp();                                                                                   \
        for (int i = 0; i < 4; ++i) out[i * 32 + lane] = (&rows[0][0])[i * 32 + lane];                  \
    }
STORE(stmatrix_x1, "x1.shared.b16", "%1", "r"(in[lane]))
STORE(stmatrix_x2, "x2.shared.b16", "%1,%2", "r"(in[lane]), "r"(in[lane + 32]))
STORE(stmatrix_x4, "x4.shared.b16", "%1,%2,%3,%4", "r"(in[lane]), "r"(in[lane + 32]), "r"(in[lane + 64]), "r"(in[lane + 96]))
STORE(stmatrix_x1_trans, "x1.trans.shared.b16", "%1", "r"(in[lane]))
STORE(stmatrix_x2_trans, "x2.trans.shared.b16", "%1,%2", "r"(in[lane]), "r"(in[lane + 32]))
STORE(stmatrix_x4_trans, "x4.trans.shared.b16", "%1,%2,%3,%4", "r"(in[lane]), "r"(in[lane + 32]), "r"(in[lane + 64]), "r"(in[lane + 96]))

KERNEL movmatrix(unsigned* out, const unsigned* in) {
    unsigned r;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(in[threadIdx.x]));
    out[threadIdx.x] = r;
}
