// What a program says of a node, of each kind, as work. The parameters must outlive what is made of them.
#pragma once
#include "runtime/graph-calls.h"

namespace lockstep::runtime {

template <class Params>
MakeWork kernel_work(const Params* params);
MakeWork copy_work(const cudaMemcpy3DParms* params);
MakeWork line_work(const void* to, const void* from, size_t count, cudaMemcpyKind kind);
// `into`: the variable is the copy's destination.
MakeWork symbol_work(const void* symbol, const void* other, size_t count, size_t offset, cudaMemcpyKind kind,
                     bool into);
template <class Params>
MakeWork fill_work(const Params* params);
template <class Params>
MakeWork host_work(const Params* params);
template <class Work>
MakeWork event_work(cudaEvent_t handle);
MakeWork child_work(cudaGraph_t into, cudaGraph_t handle);
template <class Params>
MakeWork allocation_work(Params* params);
MakeWork free_work(cudaGraph_t graph, void* pointer);

// Of any kind.
Found<MakeWork> work_of(cudaGraph_t graph, cudaGraphNodeParams* params);

}  // namespace lockstep::runtime
