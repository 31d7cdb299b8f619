// Conditional nodes: a body that runs as often as a kernel says, one of two, and one of several.
// RUN: lockstep run %s
// OUT: ^graphs-conditional ok$
// ALSO: nvcc
#include "support/check.h"

__global__ void count_down(int* left, int* turns, cudaGraphConditionalHandle handle) {
    ++*turns;
    cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void choose(const int* from, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, *from);
}
__global__ void note(int* where, int value) { *where = value; }

static cudaGraphNode_t kernel(cudaGraph_t graph, void* function, void** arguments, cudaGraphNode_t* after) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = function;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    cudaGraphNode_t node{};
    CUDA(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params));
    return node;
}

static cudaGraph_t* conditional(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned bodies, cudaGraphNode_t* after) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = bodies;
    cudaGraphNode_t node{};
    CUDA(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params));
    return params.conditional.phGraph_out;
}

static void launch(cudaGraph_t graph) {
    cudaGraphExec_t exec{};
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaGraphExecDestroy(exec));
}

int main() {
    int *left = to_device(std::vector<int>{5}), *turns = device_zeros<int>(1), *where = device_zeros<int>(1);
    cudaGraph_t graph{};
    cudaGraphConditionalHandle handle{};
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = conditional(graph, handle, cudaGraphCondTypeWhile, 1, nullptr)[0];
    void* arguments[] = {&left, &turns, &handle};
    kernel(body, (void*)count_down, arguments, nullptr);
    launch(graph);
    EXPECT(to_host(turns, 1)[0] == 5);

    for (int value = 0; value < 4; ++value) {
        int* from = to_device(std::vector<int>{value});
        CUDA(cudaGraphCreate(&graph, 0));
        CUDA(cudaGraphConditionalHandleCreate(&handle, graph));
        void* of_choose[] = {&from, &handle};
        cudaGraphNode_t chooses = kernel(graph, (void*)choose, of_choose, nullptr);
        cudaGraph_t* bodies = conditional(graph, handle, cudaGraphCondTypeSwitch, 3, &chooses);
        for (int i = 0; i < 3; ++i) {
            int noted = 10 + i;
            void* of_note[] = {&where, &noted};
            kernel(bodies[i], (void*)note, of_note, nullptr);
        }
        CUDA(cudaMemset(where, 0, 4));
        launch(graph);
        EXPECT(to_host(where, 1)[0] == (value < 3 ? 10 + value : 0));
    }
    return finish("graphs-conditional");
}
