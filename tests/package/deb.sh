# Makes the Debian package and tries what is in it, unpacked. Usage: deb.sh SOURCE BUILD
set -eu
command -v dpkg-shlibdeps >/dev/null && command -v dpkg-deb >/dev/null || { echo "skipped: dpkg-dev is not installed"; exit 77; }
deb=$(CAROM_BUILD=$2 "$1/tools/package")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
dpkg-deb -x "$deb" "$root"
dpkg-deb -f "$deb" Depends | grep -q libhdf5
sh "$1/tests/package/installed.sh" "$root/usr"
