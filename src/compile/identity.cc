#include "compile/identity.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace lockstep::compile {

std::string identity(const std::filesystem::path& program) {
    struct stat info{};
    if (stat(program.c_str(), &info) != 0) return program.string();
    return fmt::format("{} {} {}", program.string(), info.st_size, info.st_mtime);
}

}  // namespace lockstep::compile
