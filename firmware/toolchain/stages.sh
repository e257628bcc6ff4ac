# SPDX-License-Identifier: Apache-2.0
# A long build in stages, for build.sh.  A stage that is complete leaves a stamp with the time that it
# took, so that a build that was killed goes on with the stage that it was in.  That stage begins
# anew: half of a file that a killed compiler leaves cannot be told from a whole one.

# run_stages WORK LOG NAME...: calls stage_NAME of each in the folder WORK, its output appended to LOG.
# Returns the status of the first that fails.  Must not be called in a condition or before ||, where no
# errexit works, whatever a stage sets.
run_stages() {
  local work=$1 log=$2 name status
  shift 2
  mkdir -p "$work"
  for name in "$@"; do
    [ ! -e "$work/done-$name" ] || continue
    printf 'toolchain: %s\n' "$name" >&2
    set +e
    # the inner braces: of a lone subshell, bash writes the time to where the subshell's errors go
    { TIMEFORMAT='%R %U %S'; time { ( set -e; cd "$work"; "stage_$name" ) >>"$log" 2>&1; }; } 2>"$work/time"
    status=$?
    set -e
    if [ $status -ne 0 ]; then
      tail -n 15 "$log" >&2
      printf 'toolchain: %s failed; the whole log is %s; what was built before is kept\n' "$name" "$log" >&2
      return $status
    fi
    awk '{ printf "%.0f %.0f\n", $1, $2 + $3 }' "$work/time" >"$work/time-$name"
    mv "$work/time-$name" "$work/done-$name"
  done
}

# stage_times WORK NAME...: a line "NAME SECONDS PROCESSOR_SECONDS" for each that is complete
stage_times() {
  local work=$1 name
  shift
  for name in "$@"; do printf '%s %s\n' "$name" "$(cat "$work/done-$name")"; done
}
