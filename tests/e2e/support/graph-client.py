# A deep-learning framework's ways with the driver API, with nothing but ctypes: PTX that the client wrote, for each shape
# anew; arguments packed into one buffer; a graph of kernels and copies that is launched with other buffers each time.
import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
byref, pointer, size_t = ctypes.byref, ctypes.c_void_p, ctypes.c_size_t


def check(status):
    if status != 0:
        raise RuntimeError(f"error {status}")


def made(kind, make):
    check(make(byref(value := kind())))
    return value


class KernelNode(ctypes.Structure):
    _fields_ = [("function", pointer), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("arguments", pointer), ("extra", pointer)]


class Copy(ctypes.Structure):
    _fields_ = [(side + name, kind)
                for side in ("src", "dst")
                for name, kind in (("X", size_t), ("Y", size_t), ("Z", size_t), ("LOD", size_t),
                                   ("MemoryType", ctypes.c_int), ("Host", pointer), ("Device", ctypes.c_uint64),
                                   ("Array", pointer), ("reserved", pointer), ("Pitch", size_t), ("Height", size_t))
               ] + [("Width", size_t), ("Rows", size_t), ("Depth", size_t)]


class Arguments(ctypes.Structure):
    _fields_ = [("to", ctypes.c_uint64), ("of", ctypes.c_uint64), ("count", ctypes.c_int)]


def packed(*values):
    arguments = Arguments(*values)
    size = size_t(ctypes.sizeof(arguments))
    extra = (pointer * 5)(1, ctypes.addressof(arguments), 2, ctypes.addressof(size), 0)
    return arguments, extra, size


def kernel(name, body):
    text = f""".version 7.8
.target sm_90
.address_size 64
.visible .entry {name}(.param .u64 to, .param .u64 of, .param .s32 count) {{
  .reg .u64 %to, %of, %at; .reg .s32 %i, %n; .reg .pred %p; .reg .f32 %x, %d<4>; .reg .b32 %one, %zero;
  ld.param.u64 %to, [to+0]; ld.param.u64 %of, [of+0]; ld.param.s32 %n, [count+0];
  mov.u32 %i, %tid.x; cvt.s64.s32 %at, %i; shl.b64 %at, %at, 2; add.u64 %to, %to, %at; add.u64 %of, %of, %at;
{body}
}}"""
    module = made(pointer, lambda m: cuda.cuModuleLoadData(m, text.encode()))
    return made(pointer, lambda f: cuda.cuModuleGetFunction(f, module, name.encode()))


def memory(values):
    data = (ctypes.c_float * len(values))(*values)
    place = made(ctypes.c_uint64, lambda p: cuda.cuMemAlloc_v2(p, size_t(ctypes.sizeof(data))))
    check(cuda.cuMemcpyHtoD_v2(place, data, size_t(ctypes.sizeof(data))))
    return place


def content(place, count):
    data = (ctypes.c_float * count)()
    check(cuda.cuMemcpyDtoH_v2(data, place, size_t(ctypes.sizeof(data))))
    return list(data)


check(cuda.cuInit(0))
device = made(ctypes.c_int, lambda d: cuda.cuDeviceGet(d, 0))
context = made(pointer, lambda c: cuda.cuCtxCreate_v2(c, 0, device))

doubling = """  setp.lt.s32 %p, %i, %n;
  @%p ld.global.f32 %x, [%of+0];
  @%p add.f32 %x, %x, %x;
  @%p st.global.f32 [%to+0], %x;"""
double = kernel("double_", doubling)
a, b, middle, result = memory([1, 2, 3, 4]), memory([10, 20, 30, 40]), memory([0] * 4), memory([0] * 4)
arguments, extra, size = packed(middle.value, a.value, 3)
node = KernelNode(double, (1, 1, 1), (4, 1, 1), 0, None, ctypes.addressof(extra))
copy = Copy(srcMemoryType=2, srcDevice=middle.value, srcPitch=16, srcHeight=1, dstMemoryType=2, dstDevice=result.value,
            dstPitch=16, dstHeight=1, Width=16, Rows=1, Depth=1)
graph = made(pointer, lambda g: cuda.cuGraphCreate(g, 0))
first = made(pointer, lambda n: cuda.cuGraphAddKernelNode(n, graph, None, size_t(0), byref(node)))
second = made(pointer, lambda n: cuda.cuGraphAddMemcpyNode(n, graph, byref(first), size_t(1), byref(copy), context))
ready = made(pointer, lambda e: cuda.cuGraphInstantiate_v2(e, graph, None, None, size_t(0)))
check(cuda.cuGraphLaunch(ready, None))
print("graph:", *content(result, 4))
arguments.of, arguments.count = b.value, 4
check(cuda.cuGraphExecKernelNodeSetParams(ready, first, byref(node)))
copy.dstDevice = a.value
check(cuda.cuGraphExecMemcpyNodeSetParams(ready, second, byref(copy), context))
check(cuda.cuGraphLaunch(ready, None))
print("again:", *content(result, 4), *content(a, 4))
check(cuda.cuGraphExecDestroy(ready))
check(cuda.cuGraphDestroy(graph))

# A graph over two devices: a kernel of the second, while the first is current, and a copy back.
other = made(pointer, lambda c: cuda.cuCtxCreate_v2(c, 0, made(ctypes.c_int, lambda d: cuda.cuDeviceGet(d, 1))))
there, of_other = memory([5, 6, 7, 8]), kernel("there", doubling)
check(cuda.cuCtxSetCurrent(context))
arguments, extra, size = packed(there.value, there.value, 2)
node.function, node.extra = of_other, ctypes.addressof(extra)
copy.srcDevice, copy.dstDevice = there.value, result.value
graph = made(pointer, lambda g: cuda.cuGraphCreate(g, 0))
first = made(pointer, lambda n: cuda.cuGraphAddKernelNode(n, graph, None, size_t(0), byref(node)))
second = made(pointer, lambda n: cuda.cuGraphAddMemcpyNode(n, graph, byref(first), size_t(1), byref(copy), other))
ready = made(pointer, lambda e: cuda.cuGraphInstantiate_v2(e, graph, None, None, size_t(0)))
arguments.count = 3
check(cuda.cuGraphExecKernelNodeSetParams(ready, first, byref(node)))
check(cuda.cuGraphLaunch(ready, None))
print("two devices:", *content(result, 4))

# Halves of ones: each element of the product is the depth.
product = kernel("product", """  mov.b32 %one, 0x3c003c00; mov.f32 %x, 0f3F000000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%one, %one, %one, %one}, {%one, %one}, {%x, %x, %x, %x};
  st.global.f32 [%to+0], %d0;""")
tile = memory([0] * 32)
arguments, extra, size = packed(tile.value, tile.value, 0)
check(cuda.cuLaunchKernel(product, 1, 1, 1, 32, 1, 1, 0, None, None, extra))
print("product:", *set(content(tile, 32)))
