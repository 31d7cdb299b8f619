#!/bin/sh
# Measures a GPU: run on a machine with a GPU, nvcc, cuobjdump and Nsight Compute.
#   bench/hardware/record.sh FOLDER        leaves FOLDER/*.csv; takes about a minute and a half
set -eu
cd "$(dirname "$0")"
folder=$1
mkdir -p "$folder"
build=$(mktemp -d)
trap 'rm -r "$build"' EXIT

programs="arithmetic latency constants shared throughput gathers crowded requests issue mixes warp-slots blocks tiles control divergence launch copies mapped expansions matches"
for name in $programs cold cold-rows cold-columns rows streams fetches; do
    (nvcc -std=c++20 -O3 -arch=sm_90 "$name.cu" -o "$build/$name" || echo "$name: does not build" >&2) &
done
(nvcc -std=c++20 -O3 -gencode=arch=compute_90a,code=sm_90a tensor.cu -o "$build/tensor" || echo "tensor: does not build" >&2) &
for name in clusters distributed; do
    (nvcc -std=c++20 -O3 -arch=sm_90 -w "$name.cu" -o "$build/$name" || echo "$name: does not build" >&2) &
done
for name in nested nested-order; do  # kernels that launch kernels are linked with the device runtime
    (nvcc -std=c++20 -O3 -arch=sm_90 -rdc=true -w "$name.cu" -o "$build/$name" -lcudadevrt || echo "$name: does not build" >&2) &
done
wait

for name in $programs; do "$build/$name" "$folder"; done
"$build/tensor" > "$folder/tensor.csv"
"$build/cold-rows" > "$folder/cold-rows.csv"
"$build/clusters" > "$folder/clusters.txt"
"$build/distributed" > "$folder/distributed.csv"
"$build/nested-order" > "$folder/nested-order.csv"
"$build/nested" 0 > "$folder/nested-launches.txt"
# Some of these end with a fault, which is what they show: each is a process of its own.
for part in 1 "1 128" "1 65536" 2 3 4 "5 0" "5 1" "5 2" "5 3" "5 5" "5 6" "5 7" 6 7; do
    echo "## $part"
    status=0
    "$build/nested" $part || status=$?
    echo "rc $status"
done > "$folder/nested-limits.txt"
for connections in 1 8 32; do "$build/launch" "$folder" concurrency $connections; done

# What the assembler made of the instructions measured: opcodes that a kernel holds at least eight times.
echo kernel,opcode,count > "$folder/sass.csv"
for name in arithmetic shared control; do
    cuobjdump -sass "$build/$name" | awk '
        /Function :/ { kernel = $3 }
        /^ *\/\*[0-9a-f]+\*\// {
            opcode = $2 ~ /^@/ ? $3 : $2
            sub(/;.*/, "", opcode)
            count[kernel "," opcode]++
        }
        END { for (key in count) if (count[key] >= 8) print key "," count[key] }' | c++filt -p | sed 's/, / /' | sort >> "$folder/sass.csv"
done

# Durations under ncu, with empty caches, and with what earlier launches have left in them.
durations() {
    file=$1 caches=$2
    shift 2
    echo kernel,blocks,threads,ns,sm_cycles > "$folder/$file.csv"
    ncu --clock-control none --cache-control "$caches" --csv --page raw --print-units base \
        --metrics gpu__time_duration.sum,sm__cycles_elapsed.max,launch__grid_size,launch__block_size \
        "$@" | python3 read-ncu.py >> "$folder/$file.csv"
}
durations ncu-duration all "$build/launch" "$folder" kernels
durations cold all "$build/cold"
durations warm none "$build/cold"
ncu --clock-control none --csv --page raw --print-units base \
    --metrics "$(grep -E 'issue_stalled|inst_executed_per_warp' ../../tests/validation/metrics.txt | paste -sd,),launch__grid_size,launch__block_size" \
    "$build/fetches" | python3 read-stalls.py > "$folder/fetches.csv"
# These print what they launch, a line each.
for name in cold-columns rows streams; do
    durations "$name-cold" all "$build/$name"
    durations "$name-warm" none "$build/$name"
    "$build/$name" > "$folder/settings.csv"
    for part in cold warm; do
        (echo ${part}_ns; tail -n +2 "$folder/$name-$part.csv" | cut -d, -f4) > "$build/$part"
        rm "$folder/$name-$part.csv"
    done
    paste -d, "$folder/settings.csv" "$build/cold" "$build/warm" > "$folder/$name.csv"
    rm "$folder/settings.csv"
done
nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem,power.limit --format=csv > "$folder/nvidia-smi.csv"
