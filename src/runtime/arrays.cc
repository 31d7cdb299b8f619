// Arrays and textures are missing (see api.def); only the description of a channel, which needs no device, is
// here.
#include "runtime/api.h"

extern "C" __attribute__((visibility("default"))) cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
