#!/usr/bin/env python3
"""Writes libraries/curand/sobol-numbers.inc: what Sobol' sequences of 20,000 dimensions begin with.

    python3 scripts/sobol-numbers.py new-joe-kuo-6.21201 > libraries/curand/sobol-numbers.inc

The numbers are Joe and Kuo's (https://web.maths.unsw.edu.au/~fkuo/sobol/); without a file, they are taken from SciPy, which has
them too. They are packed: of each dimension from the second on, 5 bits of its polynomial's degree s, the s - 1 coefficients
between the first and the last, and of its s first numbers, which are odd and below 2, 4, 8 ..., all bits but the last.
"""
import sys

DIMENSIONS = 20000


def from_file(path):
    with open(path) as lines:
        next(lines)
        for line in lines:
            _, degree, inner, *numbers = map(int, line.split())
            yield degree, inner, numbers


def from_scipy():
    import os
    import numpy
    import scipy.stats
    table = numpy.load(os.path.join(os.path.dirname(scipy.stats.__file__), "_sobol_direction_numbers.npz"))
    for polynomial, numbers in zip(table["poly"][1:], table["vinit"][1:]):
        degree = int(polynomial).bit_length() - 1
        yield degree, int(polynomial) >> 1 & (1 << degree - 1) - 1, [int(n) for n in numbers[:degree]]


bits = []


def put(value, width):
    bits.extend(value >> i & 1 for i in range(width))


source = from_file(sys.argv[1]) if len(sys.argv) > 1 else from_scipy()
for _ in range(DIMENSIONS - 1):
    degree, inner, numbers = next(source)
    assert len(numbers) == degree and all(n & 1 and n < 2 << i for i, n in enumerate(numbers))
    put(degree, 5)
    put(inner, degree - 1)
    for i, number in enumerate(numbers):
        put(number >> 1, i)

print("""// Made by scripts/sobol-numbers.py, which says how they are packed, from new-joe-kuo-6.21201:
//
// Copyright (c) 2008, Frances Y. Kuo and Stephen Joe. All rights reserved.
//
// Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
// conditions are met:
//
// * Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
// * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
//   disclaimer in the documentation and/or other materials provided with the distribution.
// * Neither the names of the copyright holders nor the names of the University of New South Wales and the University of Waikato
//   and its contributors may be used to endorse or promote products derived from this software without specific prior written
//   permission.
//
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS ''AS IS'' AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED
// TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE
// COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT
// NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
// CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
// ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.""")
words = [sum(bit << i for i, bit in enumerate(bits[at : at + 64])) for at in range(0, len(bits), 64)]
for at in range(0, len(words), 7):
    print("".join(f"0x{word:x}," for word in words[at : at + 7]))
