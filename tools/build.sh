# Sourced by tools/run and tools/test: installs what is missing, configures once, builds a release into build/.
# Usage: build_carom TARGET...

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=(g++ cmake ninja-build libeigen3-dev libspdlog-dev libyaml-cpp-dev libhdf5-dev libcli11-dev nlohmann-json3-dev libtbb-dev doctest-dev)
# What `import carom` is built with, and what its arrays, frames, figures and notebooks need.
python_packages=(python3-dev pybind11-dev python3-numpy python3-xarray python3-pandas python3-matplotlib python3-nbformat python3-nbconvert python3-ipykernel)
# What tests look at pages with, compare with, and read files with. Without these they are left out.
test_packages=(chromium openmpi-bin libopenmpi-dev python3-h5py python3-h5netcdf octave python3-siconos libfcl-dev)

# Usage: install_missing PACKAGE...
install_missing() {
  command -v dpkg-query >/dev/null || {
    # Not Debian: the compiler and CMake say what else is needed.
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    echo "carom needs a C++20 compiler, CMake 3.22, Ninja, Eigen 3.4, spdlog, yaml-cpp, HDF5, CLI11, nlohmann-json, oneTBB and doctest." >&2
    echo "On Debian and Ubuntu these are: $*" >&2
    exit 2
  }
  local missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "carom needs packages that only root can install: apt-get install ${missing[*]}" >&2
      exit 2
    }
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
  # What was not there when the build was configured is looked for again.
  [ ! -f "$root/build/CMakeCache.txt" ] || quietly cmake "$root/build"
}

# Quiet when all goes well; the whole log when not.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

# How far a build is, from what Ninja says: on a terminal one line that changes, elsewhere a line every half minute.
# Nothing if there is nothing to compile.
tell_progress() {
  local line told=$((SECONDS - 30))
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ Building ]] || continue
    local done_now="building: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files, $((SECONDS / 60)) min"
    if [ -t 2 ]; then
      printf '\r\033[K%s' "$done_now" >&2
    elif [ $((SECONDS - told)) -ge 30 ]; then
      told=$SECONDS
      echo "$done_now" >&2
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

build_carom() {
  install_missing "${packages[@]}"
  [ -f "$root/build/CMakeCache.txt" ] || quietly cmake -S "$root" -B "$root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12
  [ -x "$root/build/carom" ] || echo "building carom: some minutes the first time" >&2
  local log
  log=$(mktemp)
  if ! cmake --build "$root/build" --target "$@" 2>&1 | tee "$log" | tell_progress; then
    grep -v '^\[[0-9]*/[0-9]*\] ' "$log" >&2 || true
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
