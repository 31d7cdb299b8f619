#include "session/own-command-line.h"

#include <fstream>

#include "compile/process.h"

namespace lockstep::session {

std::string own_command_line() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    compile::Arguments arguments;
    for (std::string one; std::getline(in, one, '\0');) arguments.push_back(one);
    return compile::command_line(arguments);
}

}  // namespace lockstep::session
