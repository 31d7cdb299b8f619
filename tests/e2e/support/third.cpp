// The third source of several-files.cu: plain C++.
#include <cmath>

double root_of(double x) { return std::sqrt(x); }
