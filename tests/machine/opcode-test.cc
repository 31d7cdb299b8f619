// The table of machine instructions against itself.
#include "machine/opcode.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

namespace lockstep::machine {
namespace {

TEST(Opcodes, EveryRowStandsAtItsOwnPlace) {
    std::set<std::string_view> names;
    for (const OpcodeRow& row : opcode_table) EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row_of(Opcode::iadd3).name, "iadd3");
    EXPECT_EQ(row_of(Opcode::nop).name, "nop");
}

// "IMAD.WIDE" is imad_wide: who knows the one knows the other. Rows that print alike add a word to it.
TEST(Opcodes, NamesFollowWhatIsPrinted) {
    std::map<std::string, int> printed;
    for (const OpcodeRow& row : opcode_table) {
        std::string name;
        for (const char c : row.mnemonic)
            name += c == '.' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        ++printed[name];
        EXPECT_TRUE(row.name == name || row.name.starts_with(name + "_")) << row.name << ", " << row.mnemonic;
    }
    for (const OpcodeRow& row : opcode_table) printed.erase(std::string(row.name));
    EXPECT_TRUE(printed.empty()) << printed.begin()->first << " has no row of its own name";
}

// Rows that print alike are there because they differ in where they run.
TEST(Opcodes, RowsThatPrintAlikeRunElsewhere) {
    std::set<std::pair<std::string_view, Pipe>> seen;
    for (const OpcodeRow& row : opcode_table)
        EXPECT_TRUE(seen.insert({row.mnemonic, row.pipe}).second) << row.name;
}

TEST(Opcodes, EveryPipeHasAUnit) {
    const std::map<Pipe, std::set<Unit>> of_pipe = {
        {Pipe::alu, {Unit::alu}},
        {Pipe::fma, {Unit::fma, Unit::imad}},
        {Pipe::half, {Unit::half}},
        {Pipe::fp64, {Unit::fp64}},
        {Pipe::xu, {Unit::xu}},
        {Pipe::lsu, {Unit::memory, Unit::shuffle, Unit::fence}},
        {Pipe::texture, {Unit::memory, Unit::shuffle}},
        {Pipe::uniform, {Unit::uniform, Unit::bulk, Unit::bulk_group}},
        {Pipe::branch, {Unit::branch, Unit::reconverge, Unit::barrier, Unit::uniform, Unit::bulk_group}},
        {Pipe::constant, {Unit::constant}},
        {Pipe::tensor, {Unit::tensor, Unit::tensor_short, Unit::tensor_sparse}},
        {Pipe::tensor_integer, {Unit::tensor, Unit::tensor_short, Unit::tensor_sparse}},
        {Pipe::tensor_fp64, {Unit::tensor_fp64}},
        {Pipe::tensor_group, {Unit::tensor_group}},
        {Pipe::tensor_group_integer, {Unit::tensor_group}},
    };
    EXPECT_EQ(of_pipe.size(), pipes);
    std::map<Pipe, std::set<Unit>> found;
    for (const OpcodeRow& row : opcode_table) found[row.pipe].insert(row.unit);
    EXPECT_EQ(found, of_pipe);
}

TEST(Opcodes, EveryUnitButOneIsUsed) {
    std::set<Unit> used{Unit::none};  // what was folded away has no opcode
    for (const OpcodeRow& row : opcode_table) used.insert(row.unit);
    EXPECT_EQ(used.size(), units);
    for (const OpcodeRow& row : opcode_table) EXPECT_NE(row.unit, Unit::none) << row.name;
}

TEST(Opcodes, AccessesAndTheMemoryUnitAreTheSame) {
    for (const OpcodeRow& row : opcode_table) {
        EXPECT_EQ(row.access != Access::none, row.unit == Unit::memory) << row.name;
        if (row.access != Access::none) {
            EXPECT_TRUE(row.pipe == Pipe::lsu || row.pipe == Pipe::texture) << row.name;
        }
    }
}

// What the XU does for another unit's expansion begins it; the XU's own begin with themselves.
TEST(Opcodes, ExpansionsOfTheXuBeginThere) {
    for (const OpcodeRow& row : opcode_table) {
        if (row.unit == Unit::xu) {
            EXPECT_EQ(row.xu, 1) << row.name;
        } else if (row.xu) {
            EXPECT_NE(latency_class_of(row.unit), LatencyClass::event) << row.name;
        }
    }
}

TEST(Opcodes, ResultsOfTheSchedulersOwnPipesAreFixed) {
    for (const Unit unit : {Unit::alu, Unit::fma, Unit::imad, Unit::half, Unit::fp64, Unit::uniform})
        EXPECT_EQ(latency_class_of(unit), LatencyClass::fixed);
    for (const Unit unit : {Unit::xu, Unit::shuffle, Unit::constant})
        EXPECT_EQ(latency_class_of(unit), LatencyClass::variable);
    for (const Unit unit : {Unit::memory, Unit::barrier, Unit::fence})
        EXPECT_EQ(latency_class_of(unit), LatencyClass::event);
}

}  // namespace
}  // namespace lockstep::machine
