/* Formats of arrays by the type of their elements. */
#ifndef LOCKSTEP_HIP_CHANNEL_DESCRIPTOR_H
#define LOCKSTEP_HIP_CHANNEL_DESCRIPTOR_H
#include "driver_types.h"
#include "hip_vector_types.h"

template <class T>
static inline hipChannelFormatDesc hipCreateChannelDesc() {
    hipChannelFormatDesc format = {0, 0, 0, 0, hipChannelFormatKindNone};
    return format;
}
#define LOCKSTEP_FORMAT(type, x, y, z, w, kind)                                 \
    template <>                                                                 \
    inline hipChannelFormatDesc hipCreateChannelDesc<type>() {                  \
        hipChannelFormatDesc format = {x, y, z, w, hipChannelFormatKind##kind}; \
        return format;                                                          \
    }
#define LOCKSTEP_FORMATS(type, vector, bits, kind)     \
    LOCKSTEP_FORMAT(type, bits, 0, 0, 0, kind)         \
    LOCKSTEP_FORMAT(vector##1, bits, 0, 0, 0, kind)    \
    LOCKSTEP_FORMAT(vector##2, bits, bits, 0, 0, kind) \
    LOCKSTEP_FORMAT(vector##4, bits, bits, bits, bits, kind)
LOCKSTEP_FORMATS(char, char, 8, Signed)
LOCKSTEP_FORMATS(unsigned char, uchar, 8, Unsigned)
LOCKSTEP_FORMATS(short, short, 16, Signed)
LOCKSTEP_FORMATS(unsigned short, ushort, 16, Unsigned)
LOCKSTEP_FORMATS(int, int, 32, Signed)
LOCKSTEP_FORMATS(unsigned int, uint, 32, Unsigned)
LOCKSTEP_FORMATS(float, float, 32, Float)
LOCKSTEP_FORMAT(signed char, 8, 0, 0, 0, Signed)
#undef LOCKSTEP_FORMATS
#undef LOCKSTEP_FORMAT

#endif
