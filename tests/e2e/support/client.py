# Sums of 0 … 99 by kernels that are compiled here and launched through the driver API, with nothing but ctypes.
import ctypes

cuda, nvrtc = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libnvrtc.so.12")
nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p


def check(status):
    if status != 0:
        raise RuntimeError(f"error {status}")


def compile(source, *options):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), None, 0, None, None))
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    if status := nvrtc.nvrtcCompileProgram(program, len(options), words):
        check(nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
        log = ctypes.create_string_buffer(size.value)
        check(nvrtc.nvrtcGetProgramLog(program, log))
        return nvrtc.nvrtcGetErrorString(status).decode() + " " + log.value.decode()
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    check(nvrtc.nvrtcDestroyProgram(ctypes.byref(program)))
    return ptx


device, context, name = ctypes.c_int(), ctypes.c_void_p(), ctypes.create_string_buffer(100)
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, device))
check(cuda.cuDeviceGetName(name, len(name), device))
major, minor = ctypes.c_int(), ctypes.c_int()
check(cuda.cuDeviceComputeCapability(ctypes.byref(major), ctypes.byref(minor), device))
print(f"{name.value.decode()} {major.value}.{minor.value}")

results = []
for kind, format in (("float", ctypes.c_float), ("int", ctypes.c_int)):
    image = compile(
        f'extern "C" __global__ void sum({kind}* to, int n) {{ if (threadIdx.x < n) atomicAdd(to, ({kind})threadIdx.x); }}',
        f"--gpu-architecture=sm_{major.value}{minor.value}")
    module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    check(cuda.cuModuleLoadData(ctypes.byref(module), image))
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"sum"))
    check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(4)))
    check(cuda.cuMemsetD32_v2(memory, 0, ctypes.c_size_t(1)))
    count, result = ctypes.c_int(100), format()
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(count))
    check(cuda.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, None, arguments, None))
    check(cuda.cuMemcpyDtoH_v2(ctypes.byref(result), memory, ctypes.c_size_t(4)))
    results.append(result.value)
check(nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
print(f"NVRTC {major.value}.{minor.value} compiled {len(results)} kernels")
print("sum", *results)
print(compile("__global__ void k() { nothing(); }").splitlines()[0])
