# Functions of .ci/run and its stages.

say() { printf '\n=== %s (%d s so far)\n' "$*" "$SECONDS"; }

# Hides keys and the admin token of the service.
hide_keys() { sed -E 's/engram_(sk_live|admin)_[A-Za-z0-9]+/KEY/g' "$1"; }

# Run stages at the same time. Prints what each printed when all are done, the failed ones last, and fails when one
# failed.
side_by_side() {
  local folder stage pids=() failed=()
  folder=$(mktemp -d)
  say "Side by side: $*"
  for stage in "$@"; do
    "proof/ci/$stage.sh" >"$folder/$stage" 2>&1 &
    pids+=($!)
  done
  for stage in "$@"; do
    if wait "${pids[0]}"; then
      cat "$folder/$stage"
    else
      failed+=("$stage")
    fi
    pids=("${pids[@]:1}")
  done
  for stage in ${failed[@]+"${failed[@]}"}; do
    say "Failed: $stage"
    cat "$folder/$stage"
  done
  rm -rf "$folder"
  [ ${#failed[@]} -eq 0 ]
}
