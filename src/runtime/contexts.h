// Contexts of the driver API. A device has one state, so a context is little more than a handle that must be
// current.
#pragma once

// The type that CUcontext points to.
struct CUctx_st {
    int device = 0;
    unsigned flags = 0;
};
