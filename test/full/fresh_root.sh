#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shows that one ./dev command is all that a new machine needs: runs it in a root made for this run.
# usage: fresh_root.sh COMMAND...   e.g. fresh_root.sh demo
set -euo pipefail
repository=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)
((EUID == 0)) || { echo "fresh_root.sh: needs root, to make and enter a root file system" >&2; exit 2; }
command -v mmdebstrap >/dev/null || apt-get install -y -q --no-install-recommends mmdebstrap

root=$(mktemp -d "${TMPDIR:-/tmp}/cancel-root.XXXXXX")
mounted=()
clean_up() {
  local place
  for place in "${mounted[@]}"; do umount -l "$place" || true; done
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT

# The machine's own package sources and settings, so that a mirror or proxy in use here is used there.
mapfile -t sources < <(find /etc/apt/sources.list /etc/apt/sources.list.d -type f \
  \( -name '*.list' -o -name '*.sources' \) -exec grep -lE 'bookworm' {} + 2>/dev/null | xargs grep -lE 'debian')
echo "==> making a bookworm root from ${sources[*]}"
mmdebstrap --quiet --variant=apt --include=ca-certificates bookworm "$root" "${sources[@]}"
cp /etc/resolv.conf "$root"/etc/resolv.conf
for place in proc sys dev; do
  mount --rbind --make-rslave "/$place" "$root/$place"
  mounted=("$root/$place" "${mounted[@]}")
done

# What is committed, as a newcomer's clone would have it.
git clone --quiet "$repository" "$root"/src
echo "==> ./dev $* in the new root"
start=$SECONDS
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
  ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
  chroot "$root" /src/dev "$@"
echo "==> ./dev $* took $((SECONDS - start)) s, packages included"
