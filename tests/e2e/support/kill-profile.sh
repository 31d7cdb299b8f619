# kill-profile.sh SIGNAL PROGRAM FOLDER: sends SIGNAL to a `lockstep profile` whose program waits, twice, and tells
# its status, whether the program has outlived it, and what is left in the temporary folder.
signal=$1 program=$2 folder=$3
rm -rf "$folder/tmp" "$folder/started"
mkdir -p "$folder/tmp"
state() { sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2> /dev/null; }
# A background process of a shell ignores SIGINT, and what it starts does, too: setsid and env begin anew.
TMPDIR="$folder/tmp" env --default-signal=INT,QUIT lockstep profile -o "$folder/run.lockstep" "$program" -- wait "$folder/started" > "$folder/out" &
lockstep=$!
tries=0
until [ -s "$folder/started" ] || [ $tries -gt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
child=$(cat "$folder/started")
kill -"$signal" $lockstep
kill -"$signal" $lockstep 2> /dev/null
wait $lockstep
echo "status $?"
tries=0
while :; do
    case $(state "$child") in
    Z | X | "") echo "program gone"; break ;;
    esac
    [ $tries -gt 50 ] && { echo "program runs on"; kill -KILL "$child"; break; }
    sleep 0.1
    tries=$((tries + 1))
done
for left in $(ls -A "$folder/tmp"); do echo "left: $left"; done
for left in $(ls -A "$folder" | grep 'run\.lockstep'); do echo "kept: $left"; done
