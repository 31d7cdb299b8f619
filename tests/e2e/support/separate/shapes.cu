// Virtual functions whose classes are used elsewhere.
#include "shared.h"

__device__ int Shape::area() const { return 1; }
__device__ int Square::area() const { return side * side; }
__device__ int area_of(const Shape& shape) {
    return shape.area() * 100 + shape.corners() + next_ticket() * 0;
}
