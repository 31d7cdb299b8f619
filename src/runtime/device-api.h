// What kernels may call of the host's API.
#pragma once
#include "session/device-api.h"

namespace lockstep::runtime {

session::DeviceApi device_api();

}  // namespace lockstep::runtime
