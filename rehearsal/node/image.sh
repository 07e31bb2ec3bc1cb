#!/bin/sh
# Writes a root filesystem that holds only the simulated node, for `docker import` (rehearsal/README.md says how).
# SIMNODE may name a static binary that is already built (CGO_ENABLED=0).
set -eu

version=${1:?usage: image.sh TALOS-VERSION > rootfs.tar}
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
chmod 0755 "$root"
trap 'rm -rf "$root"' EXIT

# Read-only containers need each mount point to exist.
for folder in dev etc/cni etc/kubernetes opt proc run sbin sys system/state tmp usr/libexec/kubernetes var; do
  mkdir -p "$root/$folder"
done
# Engines write these three into the image's own files.
touch "$root/etc/hostname" "$root/etc/hosts" "$root/etc/resolv.conf"
printf '%s\n' "$version" > "$root/etc/talos-version"

if [ -n "${SIMNODE:-}" ]; then
  cp "$SIMNODE" "$root/sbin/init"
else
  (cd "$here" && CGO_ENABLED=0 go build -trimpath -tags grpcnotrace -ldflags '-s -w' -o "$root/sbin/init" .)
fi

tar --owner=0 --group=0 --sort=name --mtime=@0 -C "$root" -cf - .
