// Kernels by their handles: functions of a device, and kernels of libraries, which every device has.
#pragma once
#include <utility>

#include "runtime/call.h"

namespace lockstep::runtime {

// The device's function that the handle stands for (CUfunction, CUkernel, cudaKernel_t). A library's kernel
// was asked for on one device, and is that of any other, too.
Found<session::Function*> handle_on(Device& device, const void* handle);
// As Modules::function, for such handles as well.
Found<session::Function*> function_on(Device& device, const void* function);

// While it lives, a device is this thread's.
class DeviceScope {
  public:
    explicit DeviceScope(int number) : before_(std::exchange(this_thread().device, number)) {}
    ~DeviceScope() { this_thread().device = before_; }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

  private:
    const int before_;
};

}  // namespace lockstep::runtime
