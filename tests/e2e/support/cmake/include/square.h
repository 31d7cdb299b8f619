#pragma once
int square_blocks(int n);
__device__ float squared(float x);
