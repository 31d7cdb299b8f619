// docs/ptx-support.md, written from the instruction table so that the two cannot disagree.
#pragma once
#include <string>

namespace lockstep::ptx {

std::string support_document();  // Markdown, with a final newline

}  // namespace lockstep::ptx
