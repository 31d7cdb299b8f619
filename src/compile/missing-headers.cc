#include "compile/missing-headers.h"

#include <fmt/format.h>

#include <set>

namespace lockstep::compile {
namespace {

constexpr std::string_view own_kernels =
    "lockstep does not have it: leave that part out, or do it with kernels, CUB, Thrust or cuBLAS";
constexpr std::string_view not_yet = "lockstep does not have it yet: leave that part out";
constexpr std::string_view no_such_device =
    "a simulated GPU has nothing that it could reach: leave that part out";
constexpr std::string_view samples =
    "get it from github.com/NVIDIA/cuda-samples and add its folder Common to the command: -I "
    "cuda-samples/Common";
constexpr std::string_view old_sdk =
    "the CUDA SDK had it before version 5.0; its successor is helper_cuda.h of "
    "github.com/NVIDIA/cuda-samples, in the "
    "folder Common";
constexpr std::string_view a_part =
    "lockstep has a part of it, and this header is not in it: leave that part out";
constexpr std::string_view inner =
    "include the header that it belongs to instead, or nothing: cuda_runtime.h is always included";

const std::vector<KnownHeader> headers = {
    // In Debian
    {"thrust/*", "Thrust, NVIDIA's library of parallel algorithms",
     "it is not installed, or has no such header; on Debian and Ubuntu: apt-get install libthrust-dev, and "
     "for HIP librocthrust-dev"},
    {"cub/*", "CUB, NVIDIA's library of parallel algorithms",
     "it is not installed, or has no such header; on Debian and Ubuntu: apt-get install libcub-dev"},

    // NVIDIA's repositories
    {"helper_cuda.h", "the CUDA samples' helper functions", samples},
    {"helper_cuda_drvapi.h", "the CUDA samples' helper functions", samples},
    {"helper_cusolver.h", "the CUDA samples' helper functions", samples},
    {"helper_functions.h", "the CUDA samples' helper functions", samples},
    {"helper_gl.h", "the CUDA samples' helper functions", samples},
    {"helper_image.h", "the CUDA samples' helper functions", samples},
    {"helper_math.h", "the CUDA samples' helper functions", samples},
    {"helper_multiprocess.h", "the CUDA samples' helper functions", samples},
    {"helper_string.h", "the CUDA samples' helper functions", samples},
    {"helper_timer.h", "the CUDA samples' helper functions", samples},
    {"nvrtc_helper.h", "the CUDA samples' helper functions", samples},
    {"rendercheck_gl.h", "the CUDA samples' helper functions", samples},
    {"drvapi_error_string.h", "the CUDA samples' helper functions", samples},
    {"cutil*", "the old CUDA SDK's helper functions", old_sdk},
    {"sdkHelper.h", "the old CUDA SDK's helper functions", old_sdk},
    {"shrUtils.h", "the old CUDA SDK's helper functions", old_sdk},
    {"shrQATest.h", "the old CUDA SDK's helper functions", old_sdk},
    {"cutlass/*", "CUTLASS, NVIDIA's templates for matrix products",
     "get it from github.com/NVIDIA/cutlass and add -I cutlass/include"},
    {"cute/*", "CuTe, a part of CUTLASS, NVIDIA's templates for matrix products",
     "get it from github.com/NVIDIA/cutlass and add -I cutlass/include"},

    // The language and the run-time libraries
    {"cuda_fp4.*", "floating-point numbers of 4 bits", not_yet},
    {"cuda_fp6.*", "floating-point numbers of 6 bits", not_yet},
    {"nvJitLink.h", "nvJitLink, which links device code while a program runs",
     "lockstep does not have it: link device code with -rdc=true"},
    {"nvPTXCompiler.h", "NVIDIA's PTX compiler as a library",
     "lockstep does not have it; cuModuleLoadData takes PTX as it is"},
    {"nvFatbin.h", "NVIDIA's library for fat binaries", own_kernels},
    {"nvvm.h", "libNVVM, NVIDIA's compiler as a library", not_yet},
    // Not all of cuda/: many projects have a folder of this name.
    {"cuda/std/*", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/bit", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/iterator", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/mdspan", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/memory", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/numeric", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/stream", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/type_traits", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/utility", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cuda/warp", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"nv/detail/*", "libcu++, NVIDIA's C++ library for kernels", a_part},
    {"cooperative_groups/*", "cooperative groups", a_part},
    {"crt/*", "an inner header of CUDA's", inner},
    {"device_atomic_functions.hpp", "an inner header of CUDA's", inner},
    {"math_functions.hpp", "an inner header of CUDA's", inner},
    {"driver_functions.h", "an inner header of CUDA's", inner},
    {"fatbinary_section.h", "an inner header of CUDA's", inner},

    // Libraries
    {"cublas*", "cuBLAS, NVIDIA's linear algebra",
     "lockstep has what is in cublas_v2.h and cublasLt.h, and nothing of this header: leave that part out"},
    {"nvblas.h", "NVBLAS, which hands the host's BLAS calls to a GPU", own_kernels},
    {"curand*", "cuRAND, NVIDIA's random numbers",
     "lockstep has what is in curand.h and curand_kernel.h: include these"},
    {"cudnn*", "cuDNN, NVIDIA's library for neural networks", own_kernels},
    {"cufft*", "cuFFT, NVIDIA's Fourier transforms",
     "lockstep has what is in cufft.h, and nothing of this header: leave that part out"},
    {"cusparse*", "cuSPARSE, NVIDIA's sparse matrices", own_kernels},
    {"cusolver*", "cuSOLVER, NVIDIA's solvers of linear equations", own_kernels},
    {"cutensor*", "cuTENSOR, NVIDIA's tensor algebra", own_kernels},
    {"custatevec.h", "cuQuantum, NVIDIA's simulation of quantum computers", own_kernels},
    {"cudss.h", "cuDSS, NVIDIA's direct sparse solvers", own_kernels},
    {"amgx_c.h", "AmgX, NVIDIA's iterative solvers", own_kernels},
    {"nvgraph.h", "nvGRAPH, NVIDIA's graph algorithms", own_kernels},
    {"npp*", "NPP, NVIDIA's image and signal processing", own_kernels},
    {"nvjpeg*", "nvJPEG, NVIDIA's JPEG library", own_kernels},
    {"nvcomp*", "nvCOMP, NVIDIA's compression", own_kernels},
    {"NvInfer*", "TensorRT, NVIDIA's inference of neural networks", own_kernels},
    {"NvOnnx*", "TensorRT, NVIDIA's inference of neural networks", own_kernels},
    {"nvcuvid.h", "NVIDIA's video codecs", no_such_device},
    {"cuviddec.h", "NVIDIA's video codecs", no_such_device},
    {"nvEncodeAPI.h", "NVIDIA's video codecs", no_such_device},
    {"nvOpticalFlow*", "NVIDIA's optical flow", no_such_device},
    {"optix*", "OptiX, NVIDIA's ray tracing", no_such_device},
    {"cufile.h", "GPUDirect Storage, NVIDIA's reading of files into a GPU's memory",
     "lockstep does not have it: read the file, then cudaMemcpy"},
    {"gdrapi.h", "GDRCopy, NVIDIA's mapping of a GPU's memory for the host", no_such_device},

    // Several GPUs
    {"nccl*", "NCCL, NVIDIA's communication between GPUs",
     "lockstep does not have it: use one GPU, or copy with cudaMemcpyPeer"},
    {"nvshmem*", "NVSHMEM, NVIDIA's memory shared by many GPUs",
     "lockstep does not have it: use one GPU, or copy with cudaMemcpyPeer"},

    // Graphics
    {"cudaGL.h", "what shares memory with OpenGL", no_such_device},
    {"cuda_gl_interop.h", "what shares memory with OpenGL", no_such_device},
    {"cudaEGL.h", "what shares memory with EGL", no_such_device},
    {"cuda_egl_interop.h", "what shares memory with EGL", no_such_device},
    {"cudaVDPAU.h", "what shares memory with VDPAU", no_such_device},
    {"cuda_vdpau_interop.h", "what shares memory with VDPAU", no_such_device},
    {"cuda_d3d*", "what shares memory with Direct3D", no_such_device},
    {"cudaD3D*", "what shares memory with Direct3D", no_such_device},
    {"nvscibuf.h", "what shares memory between engines of NVIDIA's embedded systems", no_such_device},
    {"nvscisync.h", "what shares memory between engines of NVIDIA's embedded systems", no_such_device},

    // Tools
    {"nvToolsExt*", "NVTX, NVIDIA's marks and ranges for profilers", not_yet},
    {"nvtx3/*", "NVTX, NVIDIA's marks and ranges for profilers", not_yet},
    {"cupti*", "CUPTI, NVIDIA's interface for profilers",
     "lockstep does not have it: `lockstep profile` counts what it would"},
    {"nvperf*", "NVIDIA's interface for profilers",
     "lockstep does not have it: `lockstep profile` counts what it would"},
    {"nvml.h", "NVML, which watches and configures GPUs",
     "lockstep does not have it: cudaGetDeviceProperties and cudaMemGetInfo tell some of it"},

    // AMD's
    {"hip/hip_fp8.h", "HIP's floating-point numbers of 8 bits", not_yet},
    {"hip/hip_gl_interop.h", "HIP's way to OpenGL's resources", not_yet},
    {"hip/*", "HIP, AMD's form of CUDA", a_part},
    {"hiprand/*", "hipRAND, ROCm's random numbers", a_part},
    {"rocrand/*", "rocRAND, ROCm's random numbers",
     "it is not installed, or has no such header; on Debian: apt-get install librocrand-dev"},
    {"hipcub/*", "hipCUB, ROCm's parallel algorithms",
     "it is not installed, or has no such header; on Debian: apt-get install libhipcub-dev"},
    {"rocprim/*", "rocPRIM, ROCm's parallel algorithms",
     "it is not installed, or has no such header; on Debian: apt-get install librocprim-dev"},
    {"hipblas/*", "hipBLAS, ROCm's linear algebra", not_yet},
    {"rocblas/*", "rocBLAS, ROCm's linear algebra", not_yet},
    {"hipfft/*", "hipFFT, ROCm's Fourier transforms", not_yet},
    {"rocfft/*", "rocFFT, ROCm's Fourier transforms", not_yet},
    {"hipsparse/*", "hipSPARSE, ROCm's sparse matrices", not_yet},
    {"hipsolver/*", "hipSOLVER, ROCm's linear systems", not_yet},
    {"rocwmma/*", "rocWMMA, ROCm's templates for matrix products", not_yet},
    {"roctracer/*", "ROCm's interface for tracing", not_yet},
    {"rocprofiler/*", "ROCm's interface for profilers", not_yet},
};

}  // namespace

const std::vector<KnownHeader>& known_headers() { return headers; }

bool matches_name(std::string_view pattern, std::string_view header) {
    if (pattern.back() != '*') return header == pattern;
    pattern.remove_suffix(1);
    return header.substr(0, pattern.size()) == pattern;
}

std::string explain_missing_header(std::string_view header) {
    for (const KnownHeader& known : headers)
        if (matches_name(known.name, header))
            return fmt::format("#include <{}>: this is of {}; {}", header, known.what, known.advice);
    return {};
}

std::string explain_missing_headers(const std::string& messages) {
    // clang's words; its colours end before the first quote and begin after the last.
    constexpr std::string_view begin = "'", end = "' file not found";
    std::string text;
    std::set<std::string> said;
    for (std::size_t at = 0; (at = messages.find(end, at)) != std::string::npos; at += end.size()) {
        const std::size_t quote = at == 0 ? std::string::npos : messages.rfind(begin, at - 1);
        if (quote == std::string::npos) continue;
        const std::string sentence = explain_missing_header(
            std::string_view(messages).substr(quote + begin.size(), at - quote - begin.size()));
        if (!sentence.empty() && said.insert(sentence).second) text += "lockstep: " + sentence + '\n';
    }
    return text;
}

}  // namespace lockstep::compile
