#!/usr/bin/env python3
"""Writes include/lockstep/curand-jumps.h: how cuRAND's linear generators skip ahead.

A linear generator's state after n steps is A^n s. By the theorem of Cayley and Hamilton A^n is a polynomial in A of a degree below that of
A's characteristic polynomial p: x^n mod p. These are small (160 bits for XORWOW, three numbers for each half of MRG32k3a), where the
matrices are not. Nothing is taken from elsewhere but the recurrences, which Marsaglia and L'Ecuyer published.

    scripts/curand-jumps.py > include/lockstep/curand-jumps.h
"""

# ---- XORWOW: five words of 32 bits, over GF(2) -----------------------------------------------------------------------------------

WORD = 0xFFFFFFFF
DEGREE = 160


def xorwow_bits(count):
    """The lowest bit of each word that the recurrence makes: all satisfy the characteristic polynomial."""
    v = [123456789, 362436069, 521288629, 88675123, 5783321]
    for _ in range(count):
        t = v[0] ^ (v[0] >> 2)
        v = v[1:] + [(v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & WORD]
        yield v[4] & 1


def shortest_recurrence(bits):
    """Berlekamp and Massey: the polynomial c, c_0 = 1, with the sum over i of c_i bits[n - i] zero for all n."""
    c, b, length, shift = 1, 1, 0, 1
    for n in range(len(bits)):
        discrepancy = sum(bits[n - i] for i in range(length + 1) if c >> i & 1) & 1
        if not discrepancy:
            shift += 1
        elif 2 * length <= n:
            c, b, length, shift = c ^ (b << shift), c, n + 1 - length, 1
        else:
            c ^= b << shift
            shift += 1
    return c, length


def reversed_bits(c, length):
    return sum((c >> i & 1) << (length - i) for i in range(length + 1))


def multiply(a, b, modulus):
    product = 0
    while b:
        if b & 1:
            product ^= a
        b >>= 1
        a <<= 1
        if a >> DEGREE & 1:
            a ^= modulus
    return product


def xorwow_tables():
    recurrence, length = shortest_recurrence(list(xorwow_bits(4 * DEGREE)))
    assert length == DEGREE
    modulus = reversed_bits(recurrence, length)

    def digits(step):
        """For each of the 16 hexadecimal digits of a 64-bit count, x^(step * digit * 16^place) for digits 1 to 15."""
        rows = []
        for _ in range(16):
            power = step
            for _ in range(15):
                rows.append(power)
                power = multiply(power, step, modulus)
            step = power
        return rows

    sequence = 2
    for _ in range(67):
        sequence = multiply(sequence, sequence, modulus)
    return digits(2), digits(sequence)


# ---- MRG32k3a: two recurrences of order 3, modulo two primes ----------------------------------------------------------------------

M1, M2 = 2**32 - 209, 2**32 - 22853
CUBE1 = (-810728, 1403580, 0)  # x^3, reduced
CUBE2 = (-1370589, 0, 527612)


def multiply_modulo(a, b, cube, modulus):
    product = [0] * 5
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    for top in (4, 3):
        for i in range(3):
            product[top - 3 + i] += product[top] * cube[i]
    return tuple(x % modulus for x in product[:3])


def mrg_rows(cube, modulus, doublings):
    """x^(2^doublings * 2^place) for the 64 bits of a count."""
    power = (0, 1, 0)
    for _ in range(doublings):
        power = multiply_modulo(power, power, cube, modulus)
    for _ in range(64):
        yield power
        power = multiply_modulo(power, power, cube, modulus)


# ---- the header --------------------------------------------------------------------------------------------------------------------


def rows_of(numbers):
    line = "   "
    for number in numbers:
        text = f" 0x{number:x},"
        if len(line) + len(text) > 110:
            yield line
            line = "   "
        line += text
    yield line


def table(name, dimensions, numbers):
    print(f"LOCKSTEP_CURAND_TABLE unsigned int {name}{dimensions} = {{")
    for line in rows_of(numbers):
        print(line)
    print("};")


def main():
    print("// Made by scripts/curand-jumps.py, which says what the numbers are.")
    print("#pragma once\n")
    print("#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)")
    print("#define LOCKSTEP_CURAND_TABLE static __device__ const")
    print("#else")
    print("#define LOCKSTEP_CURAND_TABLE static const")
    print("#endif\n")
    offset, sequence = xorwow_tables()
    for name, rows in (("offset", offset), ("sequence", sequence)):
        words = [row >> 32 * i & WORD for row in rows for i in range(5)]
        table(f"lockstep_xorwow_{name}", "[16 * 15 * 5]", words)
    for name, doublings in (("offset", 0), ("subsequence", 76), ("sequence", 127)):
        first = list(mrg_rows(CUBE1, M1, doublings))
        second = list(mrg_rows(CUBE2, M2, doublings))
        table(f"lockstep_mrg32k3a_{name}", "[64 * 6]", [x for a, b in zip(first, second) for x in a + b])
    print("\n#undef LOCKSTEP_CURAND_TABLE")


main()
