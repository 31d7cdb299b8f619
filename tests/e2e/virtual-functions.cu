// Virtual functions: objects made on the device, neighbours of different classes, destructors.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^virtual-functions ok$
#include <new>

#include "support/check.h"

__device__ int destroyed = 0;

class Shape {
  public:
    __device__ virtual ~Shape() { atomicAdd(&destroyed, 1); }
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};

class Circle : public Shape {
  public:
    __device__ explicit Circle(float radius) : radius_(radius) {}
    __device__ float area() const override { return 3.0f * radius_ * radius_; }

  private:
    float radius_;
};

class Box : public Shape {
  public:
    __device__ Box(float width, float height) : width_(width), height_(height) {}
    __device__ float area() const override { return width_ * height_; }
    __device__ int corners() const override { return 4; }

  protected:
    float width_, height_;
};

class Square final : public Box {
  public:
    __device__ explicit Square(float side) : Box(side, side) {}
    __device__ float area() const override { return Box::area() + 0.5f; }
};

constexpr int object_bytes = 32;
static_assert(sizeof(Circle) <= object_bytes && sizeof(Square) <= object_bytes,
              "the pool's slots are too small");

__global__ void make(char* pool, Shape** shapes, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    void* place = pool + t * object_bytes;
    if (t % 3 == 0)
        shapes[t] = new (place) Circle(t);
    else if (t % 3 == 1)
        shapes[t] = new (place) Box(t, 2);
    else
        shapes[t] = new (place) Square(t);
}

// A later launch: the tables that the objects point to must still be there.
__global__ void use(Shape** shapes, float* areas, int* corners, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    const Shape* shape = shapes[n - 1 - t];
    areas[t] = shape->area();
    corners[t] = shape->corners();
}

__global__ void destroy(Shape** shapes, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) shapes[t]->~Shape();
}

int main() {
    const int n = 150;
    char* pool = device_zeros<char>(n * object_bytes);
    Shape** shapes = device_zeros<Shape*>(n);
    float* areas = device_zeros<float>(n);
    int* corners = device_zeros<int>(n);
    make<<<3, 64>>>(pool, shapes, n);
    use<<<3, 64>>>(shapes, areas, corners, n);
    auto a = to_host(areas, n);
    auto c = to_host(corners, n);
    for (int t = 0; t < n; ++t) {
        int i = n - 1 - t;
        float expected[3] = {3.0f * i * i, 2.0f * i, 1.0f * i * i + 0.5f};
        EXPECT_AT(t, a[t], expected[i % 3]);
        EXPECT_AT(t, c[t], i % 3 == 0 ? 0 : 4);
    }
    destroy<<<3, 64>>>(shapes, n);
    CUDA(cudaDeviceSynchronize());
    int count = 0;
    CUDA(cudaMemcpyFromSymbol(&count, destroyed, sizeof count));
    EXPECT(count == n);
    return finish("virtual-functions");
}
