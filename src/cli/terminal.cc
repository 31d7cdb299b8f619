#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace lockstep::cli {

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    if (const char* columns = std::getenv("COLUMNS"))
        if (const int number = std::atoi(columns); number > 0) return static_cast<std::size_t>(number);
    return 100;
}

bool terminal_has_colours() {
    const char* forbidden = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && !(forbidden && *forbidden) && terminal &&
           std::string_view(terminal) != "dumb";
}

}  // namespace lockstep::cli
