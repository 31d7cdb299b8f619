// Reports for a terminal: lines of characters.
#pragma once
#include <string>

#include "report/document.h"

namespace lockstep::report {

std::string to_text(const Table& table);
std::string to_text(const Section& section);
// The title and the notes begin with "== lockstep ==": a program's own output is before them.
std::string to_text(const Document& document);

}  // namespace lockstep::report
