#!/usr/bin/env bash
# Builds the workspace with the `cuda` feature for real.
#
#   scripts/cuda_build.sh [FOLDER]
#
# With an nvcc on the PATH, that one is used. Without, Debian bookworm's CUDA 11.8 packages are
# fetched and unpacked into FOLDER (default: target/cuda), with no change to the system; that
# needs apt, dpkg, about 6 GB of disk and a Debian mirror (DEBIAN_MIRROR). A GPU is not needed to
# build: where there is no nvidia-smi, code is made for compute capability CUDA_CAP (default 8.0).
#
# To start, the program needs the toolkit's libcublas and libcublasLt (in LD_LIBRARY_PATH, if not on
# the system), but no driver: libcuda is opened when a CUDA device is asked for, and if there is
# none, that is what the program says.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mkdir -p "${1:-target/cuda}" && cd "${1:-target/cuda}" && pwd)
# The mirror this machine's own apt uses, unless another is named.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 2> /dev/null | sort | head -n 1)}
capability=${CUDA_CAP:-8.0}

fetch() {
    local apt=("-o" "Dir::State=$folder/apt" "-o" "Dir::Cache=$folder/apt" "-o" "Dir::Etc::sourceparts=-"
        "-o" "Dir::Etc::sourcelist=$folder/apt/sources.list" "-o" "APT::Sandbox::User=root")
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/debs" "$folder/root"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main contrib non-free" \
        > "$folder/apt/sources.list"
    apt-get "${apt[@]}" -qq update
    (cd "$folder/debs" && apt-get "${apt[@]}" -qq download \
        nvidia-cuda-toolkit nvidia-cuda-dev libnvvm4 libnvrtc11.2 libnvrtc-builtins11.8 libcudart11.0 \
        libcublas11 libcublaslt11 libcub-dev libthrust-dev libcu++-dev \
        gcc-11 g++-11 cpp-11 gcc-11-base libgcc-11-dev libstdc++-11-dev libasan6 libtsan0)
    for package in "$folder"/debs/*.deb; do
        dpkg -x "$package" "$folder/root"
    done
    touch "$folder/root/complete"
}

if ! command -v nvcc > /dev/null; then
    [ -e "$folder/root/complete" ] || fetch
    usr=$folder/root/usr
    mkdir -p "$folder/bin"
    # The unpacked compiler has to be told where everything is.
    cat > "$folder/bin/g++" << EOF
#!/bin/sh
exec "$usr/bin/g++-11" -B"$usr/lib/gcc/x86_64-linux-gnu/11/" -isystem "$usr/include/c++/11" \\
    -isystem "$usr/include/x86_64-linux-gnu/c++/11" "\$@"
EOF
    cat > "$folder/bin/nvcc" << EOF
#!/bin/sh
export PATH="$usr/lib/nvidia-cuda-toolkit/bin:\$PATH"
export NVVMIR_LIBRARY_DIR="$usr/lib/nvidia-cuda-toolkit/libdevice"
export LD_LIBRARY_PATH="$usr/lib/x86_64-linux-gnu"
exec "$usr/lib/nvidia-cuda-toolkit/bin/nvcc" -ccbin "$folder/bin/g++" -I"$usr/include" "\$@"
EOF
    chmod +x "$folder/bin/g++" "$folder/bin/nvcc"
    export PATH="$folder/bin:$PATH" CUDA_PATH="$usr"
    libraries=$usr/lib/x86_64-linux-gnu
    export RUSTFLAGS="${RUSTFLAGS:-} -L native=$libraries -L native=$libraries/stubs"
    export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi

if ! command -v nvidia-smi > /dev/null; then
    # dfdx's build script asks it for the compute capability.
    mkdir -p "$folder/bin"
    printf '#!/bin/sh\necho compute_cap\necho %s\n' "$capability" > "$folder/bin/nvidia-smi"
    chmod +x "$folder/bin/nvidia-smi"
    export PATH="$folder/bin:$PATH"
fi

cargo build --release --workspace --features cuda --target-dir "$folder/build"
if readelf -d "$folder/build/release/ebmbook" | grep 'NEEDED.*libcuda\.so'; then
    echo "the program is bound to libcuda and will not start without an Nvidia driver" >&2
    exit 1
fi
echo "built: $folder/build/release/ebmbook (libraries: ${LD_LIBRARY_PATH:-on the system})"
