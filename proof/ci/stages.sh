# Functions of .ci/run and its stages.

say() { printf '\n=== %s (%d s so far)\n' "$*" "$SECONDS"; }

# Hides keys and the admin token of the service.
hide_keys() { sed -E 's/engram_(sk_live|admin)_[A-Za-z0-9]+/KEY/g' "$1"; }

# Run lanes at the same time. A lane is a list of stages, which run one after the other. Prints what each lane printed
# when all are done, the failed ones last, and fails when one failed.
side_by_side() {
  local folder lane i=0 lanes=("$@") pids=() failed=()
  folder=$(mktemp -d)
  say "Side by side: $(printf '[%s] ' "$@")"
  for lane in "${lanes[@]}"; do
    run_lane "$lane" >"$folder/$i" 2>&1 &
    pids+=($!)
    i=$((i + 1))
  done
  for i in "${!lanes[@]}"; do
    if wait "${pids[$i]}"; then cat "$folder/$i"; else failed+=("$i"); fi
  done
  for i in ${failed[@]+"${failed[@]}"}; do
    say "Failed: ${lanes[$i]}"
    cat "$folder/$i"
  done
  rm -rf "$folder"
  [ ${#failed[@]} -eq 0 ]
}

run_lane() {
  local stage
  for stage in $1; do
    say "$stage"
    "proof/ci/$stage.sh" || return 1
  done
}
