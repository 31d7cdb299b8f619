#include "device/inlined-lines.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <map>
#include <vector>

namespace lockstep::device {
namespace {

constexpr const char* table = "lockstep.inlined";             // the places, by number
constexpr unsigned first_number = 1u << 15, most = 1u << 15;  // a column has 16 bits

std::string path_of(const llvm::DILocation& at) {
    const std::string name = at.getFilename().str();
    return name.starts_with('/') ? name : at.getDirectory().str() + "/" + name;
}

// `.file 1 "kernel.cu"`: by name.
std::map<std::string, std::string> file_numbers(llvm::StringRef text) {
    std::map<std::string, std::string> numbers;
    for (llvm::StringRef line : llvm::split(text, '\n')) {
        line = line.trim();
        if (!line.consume_front(".file")) continue;
        const auto [number, quoted] = line.trim().split(' ');
        numbers[quoted.split('"').second.split('"').first.str()] = number.str();
    }
    return numbers;
}

}  // namespace

llvm::PreservedAnalyses NumberInlinedLines::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::NamedMDNode* places = nullptr;
    llvm::DenseMap<const llvm::DILocation*, llvm::DILocation*> numbered;
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            llvm::DILocation* const at = instruction.getDebugLoc();
            if (!at || !at->getInlinedAt() || at->getLine() == 0) continue;
            llvm::DILocation*& place = numbered[at];
            if (!place) {
                if (!places) places = module.getOrInsertNamedMetadata(table);
                if (places->getNumOperands() >= most) continue;
                place = llvm::DILocation::get(module.getContext(), at->getLine(),
                                              first_number + places->getNumOperands(), at->getScope(),
                                              at->getInlinedAt());
                places->addOperand(at);
            }
            instruction.setDebugLoc(place);
        }
    return llvm::PreservedAnalyses::all();
}

std::string with_inlined_lines(std::string text, const llvm::Module& module) {
    const llvm::NamedMDNode* const places = module.getNamedMetadata(table);
    if (!places) return text;
    const auto numbers = file_numbers(text);
    // The way to it: outermost call first, each as PTX says it.
    const auto spelled = [&](const llvm::DILocation& inlined, llvm::StringRef file) {
        std::vector<std::string> chain;
        chain.push_back(
            (file + " " + llvm::Twine(inlined.getLine()) + " " + llvm::Twine(inlined.getColumn())).str());
        for (const llvm::DILocation* at = inlined.getInlinedAt(); at; at = at->getInlinedAt()) {
            const auto number = numbers.find(path_of(*at));
            if (number == numbers.end()) break;
            chain.push_back(number->second + " " + std::to_string(at->getLine()) + " " +
                            std::to_string(at->getColumn()));
        }
        std::string lines;
        for (std::size_t i = chain.size(); i-- > 0;) {
            lines += "\t.loc\t" + chain[i];
            if (i + 1 < chain.size()) lines += ", inlined_at " + chain[i + 1];
            lines += "\n";
        }
        return lines;
    };
    std::string out;
    out.reserve(text.size() + text.size() / 4);
    llvm::StringRef rest(text);
    while (!rest.empty()) {
        const auto [line, behind] = rest.split('\n');
        rest = behind;
        llvm::StringRef place = line.trim();
        unsigned source = 0, column = 0;
        if (place.consume_front(".loc")) {
            place = place.trim();
            const auto [file, numbers_behind] = place.split(' ');
            llvm::StringRef more = numbers_behind;
            if (!more.consumeInteger(10, source) && !(more = more.ltrim()).consumeInteger(10, column) &&
                column >= first_number && column - first_number < places->getNumOperands()) {
                const auto& inlined =
                    *llvm::cast<llvm::DILocation>(places->getOperand(column - first_number));
                // What has no line keeps the column before it.
                out += source ? spelled(inlined, file)
                              : ("\t.loc\t" + file + " 0 " + llvm::Twine(inlined.getColumn()) + "\n").str();
                continue;
            }
        }
        out += line;
        out += '\n';
    }
    return out;
}

}  // namespace lockstep::device
