/* cudaCreateChannelDesc<float4>(): what a texel of that type consists of. */
#ifndef LOCKSTEP_CHANNEL_DESCRIPTOR_H
#define LOCKSTEP_CHANNEL_DESCRIPTOR_H
#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <class T>
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc(void) {
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define LOCKSTEP_CHANNELS(type, bits, components, kind)                                            \
    template <>                                                                                    \
    inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {               \
        return ::cudaCreateChannelDesc(bits, components > 1 ? bits : 0, components > 2 ? bits : 0, \
                                       components > 3 ? bits : 0, cudaChannelFormatKind##kind);    \
    }
#define LOCKSTEP_CHANNELS_OF(type, vector, kind)                 \
    LOCKSTEP_CHANNELS(type, (int)sizeof(type) * 8, 1, kind)      \
    LOCKSTEP_CHANNELS(vector##1, (int)sizeof(type) * 8, 1, kind) \
    LOCKSTEP_CHANNELS(vector##2, (int)sizeof(type) * 8, 2, kind) \
    LOCKSTEP_CHANNELS(vector##3, (int)sizeof(type) * 8, 3, kind) \
    LOCKSTEP_CHANNELS(vector##4, (int)sizeof(type) * 8, 4, kind)
LOCKSTEP_CHANNELS_OF(signed char, char, Signed)
LOCKSTEP_CHANNELS_OF(unsigned char, uchar, Unsigned)
LOCKSTEP_CHANNELS_OF(short, short, Signed)
LOCKSTEP_CHANNELS_OF(unsigned short, ushort, Unsigned)
LOCKSTEP_CHANNELS_OF(int, int, Signed)
LOCKSTEP_CHANNELS_OF(unsigned int, uint, Unsigned)
LOCKSTEP_CHANNELS_OF(float, float, Float)
/* Whether char has a sign depends on the CPU. */
template <>
inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDesc<char>(void) {
    return ::cudaCreateChannelDesc(
        8, 0, 0, 0, (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned);
}
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf(void) {
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf1(void) {
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf2(void) {
    return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ struct cudaChannelFormatDesc cudaCreateChannelDescHalf4(void) {
    return ::cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#undef LOCKSTEP_CHANNELS_OF
#undef LOCKSTEP_CHANNELS
#endif

#endif
