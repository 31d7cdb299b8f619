// A CUDA program on AMD's GPU.
// RUN: lockstep run --gpu mi100 %s
// EXIT: 1
// ERR: ^lockstep: AMD Instinct MI100 \(mi100\) is an AMD GPU, with wavefronts of 64 lanes: CUDA programs do not run on it
int main() {}
