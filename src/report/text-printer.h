// Reports for a terminal: lines of characters.
#pragma once
#include <string>

#include "report/document.h"

namespace lockstep::report {

// How characters may look: on a terminal, in colours.
struct Look {
    bool colours = false;
};

std::string to_text(const Table& table, Look look = {});
std::string to_text(const Section& section, Look look = {});
// The title and the notes begin with "== lockstep ==": a program's own output is before them.
std::string to_text(const Document& document, Look look = {});

}  // namespace lockstep::report
