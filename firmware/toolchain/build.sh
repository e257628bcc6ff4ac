#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the MicroBlaze cross-compiler (compiler.sh) or its debugger (gdb.sh) from Debian's source
# packages into a cache outside the tree, without a network.  The directory's name carries a hash of
# the recipe and of the packages' versions, so that a changed recipe is a new compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/stages.sh"

usage() {
  cat <<'TEXT'
usage: build.sh [compiler|gdb] [--find | --times | --packages]

Builds the MicroBlaze cross-compiler (microblazeel-xilinx-elf), or GDB for it, once, and prints the
directory that it is in.  A build that was killed goes on where it was.

  --find      print the directory, or say how to build it; never builds and never waits
  --times     print how long the build took on this machine, as a Markdown table
  --packages  print the Debian packages that the build needs

Environment: GVP_TOOLCHAIN_DIR the cache directory (default ~/.cache/gpgpu-vp), GVP_JOBS parallel
jobs (default: all processors).
TEXT
}
die() { printf 'toolchain: %s\n' "$*" >&2; exit 1; }

recipe=compiler
act=build
for word in "$@"; do
  case $word in
    compiler | gdb) recipe=$word ;;
    --find | --times | --packages) act=${word#--} ;;
    --help | -h) usage; exit ;;
    *) usage >&2; die "unknown argument \"$word\"" ;;
  esac
done
source "$here/$recipe.sh"
self="$here/build.sh $recipe"
[ $act != packages ] || { printf '%s\n' "${packages[@]}"; exit; }

jobs=${GVP_JOBS:-$(nproc)}
cache=${GVP_TOOLCHAIN_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/gpgpu-vp}
recipe_hash=$(sha256sum <"$here/$recipe.sh" | cut -c1-16)

# The versions of the source packages; fails where one is not installed.
versions() {
  local package
  for package in "${sources[@]}"; do dpkg-query -W -f '${Version} ' "$package" 2>/dev/null || return 1; done
}
source_of() { # source_of DIRECTORY PATTERN: the one tarball that a Debian source package installs
  local found
  found=$(find "/usr/src/$1" -maxdepth 1 -name "$2" -print -quit 2>/dev/null)
  [ -n "$found" ] || die "no $2 in /usr/src/$1; apt-get install ${packages[*]}"
  printf '%s\n' "$found"
}

# Without the source packages, which only its build needs: the newest of this recipe.
any_complete() {
  local directory
  for directory in $(ls -td "$cache/$recipe"-*/ 2>/dev/null); do
    grep -qx "recipe $recipe_hash" "$directory/complete" 2>/dev/null || continue
    printf '%s\n' "${directory%/}"
    return
  done
  return 1
}

if installed=$(versions); then
  key=$(printf '%s %s' "$recipe_hash" "$installed" | sha256sum | cut -c1-16)
  prefix=$cache/$recipe-$key
elif ! prefix=$(any_complete); then
  prefix=
fi

if [ -n "$prefix" ] && [ -e "$prefix/complete" ]; then # needs no lock: it is never changed again
  if [ $act = times ]; then
    printf '| stage | time | processor time |\n|---|---:|---:|\n'
    awk 'function text(s) { return sprintf("%d:%02d min", s / 60, s % 60) }
         $1 == "jobs" { jobs = $2 }
         $1 == "stage" { printf "| %s | %s | %s |\n", $2, text($3), text($4); wall += $3; processor += $4 }
         END { printf "| all, %d jobs at a time | %s | %s |\n", jobs, text(wall), text(processor) }' "$prefix/complete"
  else
    printf '%s\n' "$prefix"
  fi
  exit
fi
[ $act = build ] || die "$title is not built yet in $cache; build it, once: $self"
[ -n "$prefix" ] || die "source packages are missing; apt-get install ${packages[*]}"

mkdir -p "$cache"
exec 9>"$cache/$recipe.lock"
if ! flock --nonblock 9; then # a second caller waits for the first, then finds the result
  printf 'toolchain: waiting for another build of it\n' >&2
  flock 9
  [ ! -e "$prefix/complete" ] || { printf '%s\n' "$prefix"; exit; }
fi

work=$cache/build-$recipe-$key
log=$cache/$recipe-$key.log
for old in "$cache"/build-"$recipe"-*; do # of other recipes: nobody goes on with them
  [ "$old" = "$work" ] || rm -rf "$old"
done
if [ -d "$work" ]; then
  printf 'toolchain: going on with the build of %s (log: %s)\n' "$title" "$log" >&2
else
  printf 'toolchain: building %s for the first time (log: %s)\n' "$title" "$log" >&2
  rm -rf "$prefix"
fi
export PATH=$prefix/bin:$PATH
run_stages "$work" "$log" "${stages[@]}"
{
  printf 'recipe %s\nversions %s\njobs %s\n' "$recipe_hash" "$installed" "$jobs"
  stage_times "$work" "${stages[@]}" | sed 's/^/stage /'
} >"$prefix/complete.partial"
mv "$prefix/complete.partial" "$prefix/complete"
rm -rf "$work" "$log"
printf '%s\n' "$prefix"
