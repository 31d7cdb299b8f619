// Divergent control flow.
#define KERNEL extern "C" __global__ void
__device__ unsigned index() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL nested_branches(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 1;
    if (v & 1) {
        r += 3;
        if (v & 2) {
            r *= 5;
            if (v & 4) r ^= 0x55; else r += v >> 8;
        } else {
            r = r * 7 + (v & 0xff);
        }
        r += 11;
    } else if (v & 8) {
        r = v % 13;
        if (r > 6) r = r * r;
    } else {
        r = 0x80000000u >> (v & 31);
    }
    out[i] = r;
}

KERNEL loop_trips(unsigned* out, const unsigned* in) {
    unsigned i = index(), n = in[i] % 37, sum = 0;
    for (unsigned k = 0; k < n; ++k) {
        unsigned v = in[(i * 31 + k) & 4095];
        if (v % 5 == 0) continue;
        if (v % 97 == 0) break;
        for (unsigned j = v % 7; j > 0; --j) sum = sum * 3 + (in[(k * 64 + j) & 4095] & 0xf);
        sum ^= v;
    }
    out[i] = sum;
}

KERNEL early_return(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i];
    out[i] = 1;
    if (v % 3 == 0) return;
    out[i] = 2 + v;
    for (unsigned k = 0; k < 10; ++k) {
        v = v * 1664525u + 1013904223u;
        if ((v >> 28) == k) return;
        out[i] += v;
    }
    if (i & 1) asm volatile("exit;");
    out[i] ^= 0xffffffffu;
}

// Jumps into and out of the middle of loops: no structure that a compiler could recover.
KERNEL unstructured(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = 0, fuel = 200;
    if (v & 1) goto middle;
top:
    r = r * 3 + 1;
    if (--fuel == 0) goto done;
    v = v * 1664525u + 1013904223u;
    if ((v >> 30) == 0) goto side;
middle:
    r ^= v >> 7;
    if ((v & 0x700) == 0x100) goto done;
    if ((v & 0x3000) == 0) goto side;
    v = v * 22695477u + 1u;
    goto top;
side:
    r += 17;
    if (--fuel == 0) goto done;
    v ^= v >> 13;
    if ((v & 0x60) == 0x60) goto middle;
    v = v * 69069u + 5u;
    goto top;
done:
    out[i] = r;
}

KERNEL switch_cases(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], r = v;
    for (int round = 0; round < 4; ++round) {
        switch (r % 11) {
            case 0: r = r * 3 + 1; break;
            case 1: r ^= 0x1234567; break;
            case 2: r = r / 7 + v;  // falls through
            case 3: r -= 99; break;
            case 4: r = (r << 5) | (r >> 27); break;
            case 5: r = ~r; break;
            case 6: r = r % 1001; break;
            case 7: r += in[r & 4095]; break;
            case 8: r = __brev(r); break;
            case 9: r = __popc(r) * 77; break;
            default: r = 5;
        }
    }
    out[i] = r;
}

// A loop whose lanes leave at different times, with work after it that all must do together.
KERNEL loop_then_vote(unsigned* out, const unsigned* in) {
    unsigned i = index(), v = in[i], steps = 0;
    while (v % 17 != 3 && steps < 100) v = v * 1103515245u + 12345u, ++steps;
    __syncwarp();
    unsigned ballot = __ballot_sync(0xffffffffu, steps > 10);
    out[i] = ballot ^ steps;
}

KERNEL predicated_memory(unsigned* out, const unsigned* in) {
    unsigned i = index();
    const unsigned* p = in[i] & 1 ? in + i : nullptr;
    unsigned r = 7;
    if (p) r = p[0] + 1;
    if (in[i] & 2) out[i] = r; else if (r > 100) out[i] = r / 2;
}
