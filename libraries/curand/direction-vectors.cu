// The direction vectors of Sobol' sequences, from the primitive polynomials and first numbers that Joe and
// Kuo published (new-joe-kuo-6.21201; scripts/sobol-numbers.py packs them). The scrambled ones are
// multiplied by a random matrix each, lower triangular with ones on the diagonal (Matoušek), and start from a
// random point: numbers of our own, since NVIDIA's are not published.
#include <algorithm>
#include <random>
#include <vector>

#include "curand/generator.h"

namespace lockstep::curand {

namespace {

constexpr unsigned long long packed[] = {
#include "curand/sobol-numbers.inc"
};

class PackedNumbers {
  public:
    unsigned int take(int bits) {
        unsigned int value = 0;
        for (int i = 0; i < bits; ++i, ++at_)
            value |= static_cast<unsigned int>(packed[at_ / 64] >> at_ % 64 & 1) << i;
        return value;
    }

  private:
    std::size_t at_ = 0;
};

template <typename Index>
constexpr int width = 8 * sizeof(Index);

// m_i of the recurrence is vector i without its trailing zeros.
template <typename Index>
void place(const Index* numbers, Index* vectors) {
    for (int i = 0; i < width<Index>; ++i) vectors[i] = numbers[i] << (width<Index> - 1 - i);
}

template <typename Index>
void fill_first(Index* vectors) {
    Index numbers[width<Index>];
    std::fill_n(numbers, width<Index>, Index(1));
    place(numbers, vectors);
}

// Of the next dimension that is packed.
template <typename Index>
void fill_next(PackedNumbers& source, Index* vectors) {
    const auto degree = static_cast<int>(source.take(5));
    const unsigned int polynomial = 1u << degree | source.take(degree - 1) << 1 | 1;
    Index numbers[width<Index>];
    for (int i = 0; i < degree; ++i) numbers[i] = Index(source.take(i)) << 1 | 1;
    for (int i = degree; i < width<Index>; ++i) {
        numbers[i] = numbers[i - degree];
        for (int k = 1; k <= degree; ++k)
            if ((polynomial >> (degree - k) & 1) != 0) numbers[i] ^= numbers[i - k] << k;
    }
    place(numbers, vectors);
}

// A row of the matrix is a mask: bit 63 or 31 is the first.
template <typename Index>
void scramble(std::mt19937_64& random, Index* vectors) {
    Index rows[width<Index>];
    for (int i = 0; i < width<Index>; ++i) {
        const Index diagonal = Index(1) << (width<Index> - 1 - i);
        const Index above = static_cast<Index>(~(diagonal - 1)) ^ diagonal;
        rows[i] = diagonal | (static_cast<Index>(random()) & above);
    }
    for (int k = 0; k < width<Index>; ++k) {
        Index product = 0;
        for (int i = 0; i < width<Index>; ++i)
            product = product << 1 | static_cast<Index>(__builtin_popcountll(rows[i] & vectors[k]) & 1);
        vectors[k] = product;
    }
}

template <typename Index>
std::vector<Index> make_vectors(bool scrambled) {
    std::vector<Index> vectors(std::size_t(known_dimensions) * width<Index>);
    std::mt19937_64 random(width<Index>);
    PackedNumbers source;
    for (unsigned int dimension = 0; dimension < known_dimensions; ++dimension) {
        Index* const first = vectors.data() + std::size_t(dimension) * width<Index>;
        dimension == 0 ? fill_first(first) : fill_next(source, first);
        if (scrambled) scramble(random, first);
    }
    return vectors;
}

}  // namespace

template <typename Index>
const Index* direction_vectors(bool scrambled) {
    static const std::vector<Index> plain = make_vectors<Index>(false);
    if (!scrambled) return plain.data();
    static const std::vector<Index> mixed = make_vectors<Index>(true);
    return mixed.data();
}

template <typename Index>
const Index* scramble_constants() {
    static const std::vector<Index> constants = [] {
        std::vector<Index> made(known_dimensions);
        std::mt19937_64 random(1000 + width<Index>);
        for (Index& one : made) one = static_cast<Index>(random());
        return made;
    }();
    return constants.data();
}

template const unsigned int* direction_vectors(bool);
template const unsigned long long* direction_vectors(bool);
template const unsigned int* scramble_constants();
template const unsigned long long* scramble_constants();

}  // namespace lockstep::curand
