// The parts of the device library's table, one function a file.
#pragma once
#include "exec/scalar/scalar-table.h"

namespace lockstep::exec {

void add_libdevice_double(ScalarTable& table);      // sin, pow, … for double
void add_libdevice_float(ScalarTable& table);       // sinf, powf, …, and the fast_ ones
void add_libdevice_arithmetic(ScalarTable& table);  // arithmetic with a rounding mode; conversions
void add_libdevice_integer(ScalarTable& table);     // integers, bit patterns, SIMD in a word

}  // namespace lockstep::exec
