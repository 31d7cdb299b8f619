#include "compile/fatbin.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>

namespace lockstep::compile {
namespace {

const std::string ptx =
    ".version 8.5\n.target sm_90\n.address_size 64\n" + std::string(2000, ' ') + "// end\n";

// NVIDIA's layout, byte by byte, to test the reader against something other than our own writer.
std::string container(const std::string& payload, std::uint16_t kind, std::uint32_t sm, std::uint64_t flags,
                      std::uint32_t compressed, std::uint64_t uncompressed) {
    std::string padded = payload;
    padded.resize((padded.size() + 7) / 8 * 8, '\0');
    std::string bytes(16 + 64, '\0');
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    put(0, std::uint32_t{0xBA55ED50});
    put(4, std::uint16_t{1});
    put(6, std::uint16_t{16});
    put(8, std::uint64_t{64 + padded.size()});
    put(16, kind);
    put(18, std::uint16_t{0x101});
    put(20, std::uint32_t{64});
    put(24, std::uint64_t{padded.size()});
    put(32, compressed);
    put(44, sm);
    put(56, flags);
    put(72, uncompressed);
    return bytes + padded;
}

std::string written(const std::vector<FatbinPtx>& entries) { return write_fatbin(entries); }

TEST(Fatbin, WhatIsWrittenCanBeRead) {
    for (const bool relocatable : {false, true}) {
        const std::string bytes = written({{ptx, 80, relocatable}});
        auto entries = ptx_entries(bytes.data(), bytes.size());
        ASSERT_TRUE(entries) << entries.error().message;
        ASSERT_EQ(entries->size(), 1u);
        EXPECT_EQ((*entries)[0].text, ptx);
        EXPECT_EQ((*entries)[0].sm, 80);
        EXPECT_EQ((*entries)[0].relocatable, relocatable);
    }
}

TEST(Fatbin, KeepsWhatPtxasIsToldBesideTheText) {
    for (const char* words : {"-dlcm=cg ", "-maxrregcount=24 -dlcm=ca "}) {
        const std::string bytes = written({{ptx, 80, false, words}, {"second", 90, true, ""}});
        auto entries = ptx_entries(bytes.data(), bytes.size());
        ASSERT_TRUE(entries) << entries.error().message;
        ASSERT_EQ(entries->size(), 2u);
        EXPECT_EQ((*entries)[0].options, words);
        EXPECT_EQ((*entries)[0].text, ptx);
        EXPECT_EQ((*entries)[1].options, "");
        EXPECT_EQ((*entries)[1].text, "second");
    }
    // As nvcc 13 writes it: the header is followed by the words' place, and they by the code.
    std::string bytes = container(ptx, 1, 75, 0x11, 0, 0);
    const std::string words = "-dlcm=cg -v  -maxrregcount=24 ";
    std::string behind(8, '\0');
    const std::uint32_t place[2] = {72, static_cast<std::uint32_t>(words.size())}, where = 64,
                        header = 64 + 8 + 32;
    std::memcpy(behind.data(), place, sizeof place);
    behind += words + std::string(32 - words.size(), '\0');
    bytes.insert(16 + 64, behind);
    std::memcpy(bytes.data() + 16 + 20, &where, 4);
    std::memcpy(bytes.data() + 16 + 4, &header, 4);
    std::uint64_t body = bytes.size() - 16;
    std::memcpy(bytes.data() + 8, &body, 8);
    auto entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_EQ((*entries)[0].options, words);
    EXPECT_EQ((*entries)[0].text, ptx);
    // A place beyond the header holds nothing.
    const std::uint32_t far = 1 << 20;
    std::memcpy(bytes.data() + 16 + 64, &far, 4);
    entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_TRUE(entries);
    EXPECT_EQ((*entries)[0].options, "");
}

TEST(Fatbin, ReadsPlainText) {
    const std::string bytes = container(ptx, 1, 75, 0x11, 0, 0);
    auto entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_TRUE(entries);
    EXPECT_EQ((*entries)[0].text, ptx);
    EXPECT_FALSE((*entries)[0].relocatable);
}

TEST(Fatbin, ReadsLz4) {
    std::string packed(LZ4_compressBound(static_cast<int>(ptx.size())), '\0');
    packed.resize(LZ4_compress_default(ptx.data(), packed.data(), static_cast<int>(ptx.size()),
                                       static_cast<int>(packed.size())));
    const std::string bytes =
        container(packed, 1, 70, 0x2011, static_cast<std::uint32_t>(packed.size()), ptx.size());
    auto entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_EQ((*entries)[0].text, ptx);
}

TEST(Fatbin, ReadsZstd) {
    std::string packed(ZSTD_compressBound(ptx.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), ptx.data(), ptx.size(), 3));
    const std::string bytes =
        container(packed, 1, 90, 0x8011, static_cast<std::uint32_t>(packed.size()), ptx.size());
    auto entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_EQ((*entries)[0].text, ptx);
}

TEST(Fatbin, MachineCodeOnlySaysHowToBuildAnew) {
    const std::string bytes = container(
        "\x7f"
        "ELF",
        2, 86, 0x11, 0, 0);
    auto entries = ptx_entries(bytes.data(), bytes.size());
    ASSERT_FALSE(entries);
    EXPECT_NE(entries.error().message.find("sm_86"), std::string::npos);
    EXPECT_NE(entries.error().message.find("-gencode arch=compute_86,code=compute_86 -cudart shared"),
              std::string::npos);
}

TEST(Fatbin, AnEmptyContainerIsNoError) {
    const std::string bytes = container("", 1, 0, 0, 0, 0).substr(0, 16);
    std::string empty = bytes;
    std::memset(empty.data() + 8, 0, 8);
    auto entries = ptx_entries(empty.data(), empty.size());
    ASSERT_TRUE(entries);
    EXPECT_TRUE(entries->empty());
}

TEST(Fatbin, DamageIsAnErrorNeverACrash) {
    const std::string good = written({{ptx, 90, false}});
    for (std::size_t size = 0; size < good.size(); size += 7) (void)ptx_entries(good.data(), size);
    for (std::size_t at = 0; at < 80; ++at)
        for (const int value : {0x00, 0x7f, 0xff}) {
            std::string bad = good;
            bad[at] = static_cast<char>(value);
            (void)ptx_entries(bad.data(), bad.size());
        }
    EXPECT_FALSE(ptx_entries("not a fat binary at all", 20));
    EXPECT_FALSE(ptx_entries(good.data(), good.size() - 1));
}

TEST(Fatbin, SectionsHoldSeveral) {
    const std::string one = written({{ptx, 80, false}}), two = written({{ptx, 70, false}, {"", 90, false}});
    const std::string section = one + std::string(24, '\0') + two;
    auto found = read_fatbin_section(std::as_bytes(std::span(section)));
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 2u);
    ASSERT_EQ((*found)[1].ptx.size(), 2u);
    EXPECT_EQ((*found)[1].ptx[0].text, ptx);
    EXPECT_EQ((*found)[1].ptx[1].sm, 90);
}

}  // namespace
}  // namespace lockstep::compile
