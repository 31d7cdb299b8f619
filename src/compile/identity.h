// Which build of a program this is: one that was replaced by an update is another.
#pragma once
#include <filesystem>
#include <string>

namespace lockstep::compile {

std::string identity(const std::filesystem::path& program);

}  // namespace lockstep::compile
