#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace lockstep::cli {

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    if (const char* columns = std::getenv("COLUMNS"))
        if (const int number = std::atoi(columns); number > 0) return static_cast<std::size_t>(number);
    return 100;
}

}  // namespace lockstep::cli
