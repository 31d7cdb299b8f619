// The direction vectors of Sobol' sequences, from the primitive polynomials and first numbers that Joe and
// Kuo published (new-joe-kuo-6.21201), of which Boost has those of 3667 dimensions. The scrambled ones are
// multiplied by a random matrix each, lower triangular with ones on the diagonal (Matoušek), and start from a
// random point: numbers of our own, since NVIDIA's are not published.
#include <boost/random/detail/sobol_table.hpp>
#include <random>
#include <vector>

#include "curand/generator.h"

namespace lockstep::curand {

namespace {

using Table = boost::random::detail::qrng_tables::sobol;
static_assert(known_dimensions == Table::max_dimension);

template <typename Index>
constexpr int width = 8 * sizeof(Index);

// m_i of the recurrence is vector i without its trailing zeros.
template <typename Index>
void fill(unsigned int dimension, Index* vectors) {
    const unsigned int polynomial = dimension == 0 ? 0 : Table::polynomial(dimension - 1);
    const int degree = dimension == 0 ? width<Index> : 31 - __builtin_clz(polynomial);
    Index numbers[width<Index>];
    for (int i = 0; i < width<Index>; ++i) {
        if (dimension == 0) {
            numbers[i] = 1;
        } else if (i < degree) {
            numbers[i] = Table::minit(dimension - 1, i);
        } else {
            numbers[i] = numbers[i - degree];
            for (int k = 1; k <= degree; ++k)
                if ((polynomial >> (degree - k) & 1) != 0) numbers[i] ^= numbers[i - k] << k;
        }
        vectors[i] = numbers[i] << (width<Index> - 1 - i);
    }
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
    for (unsigned int dimension = 0; dimension < known_dimensions; ++dimension) {
        Index* const first = vectors.data() + std::size_t(dimension) * width<Index>;
        fill(dimension, first);
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
