#include "base/result.h"

namespace lockstep {

std::string Place::to_string() const {
    if (line == 0) return file;
    std::string text = file + ":" + std::to_string(line);
    if (column != 0) text += ":" + std::to_string(column);
    return text;
}

std::string Error::to_string() const {
    std::string where = place.to_string();
    return where.empty() ? message : where + ": " + message;
}

}  // namespace lockstep
