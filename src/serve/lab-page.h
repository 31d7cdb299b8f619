// The labs as HTML: a list of them, and a page for each with an editor for its exercise.
#pragma once
#include <string>
#include <vector>

#include "labs/labs.h"

namespace lockstep::serve {

// `token`: what the page's requests prove with that they are its own.
std::string index_page(const std::vector<labs::Lab>& labs, const std::string& token);

struct Exercise {
    std::string file;    // as the learner's folder has it
    std::string source;  // what it holds now
    std::string start;   // and held at first
};
std::string lab_page(const std::vector<labs::Lab>& labs, const labs::Lab& lab, const Exercise& exercise,
                     const std::string& token);

std::string error_page(const std::string& message);

}  // namespace lockstep::serve
