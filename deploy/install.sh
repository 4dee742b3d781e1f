#!/bin/sh
# Installs secondlight @VERSION@ as PREFIX/bin/secondlight, /usr/local if PREFIX isn't set, after it
# has verified the signature of the checksums and the checksum of the archive. Needs curl, tar
# and, for the signature, ssh-keygen. FROM is where the files of the release are.
set -eu

version='@VERSION@'
key='@KEY@'
from=${FROM:-https://github.com/secondlight/secondlight/releases/download/v$version}
prefix=${PREFIX:-/usr/local}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "there is no program for $(uname -s) here; Windows has a ZIP at $from" ;;
esac
case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no program for $(uname -m)" ;;
esac
archive=secondlight_${version}_${system}_$arch.tar.gz

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for file in checksums.txt "$archive" ${key:+checksums.txt.sig}; do
	curl --fail --silent --show-error --location --output "$file" "$from/$file" || fail "cannot download $from/$file"
done
if [ -n "$key" ]; then
	echo "secondlight $key" >signers
	ssh-keygen -Y verify -q -f signers -I secondlight -n secondlight -s checksums.txt.sig <checksums.txt ||
		fail "the signature of checksums.txt is wrong: nothing was installed"
fi
grep "  $archive\$" checksums.txt >checksum || fail "checksums.txt lacks $archive"
if command -v sha256sum >/dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
$sum -c checksum >/dev/null || fail "$archive is damaged: nothing was installed"

tar xzf "$archive" secondlight
mkdir -p "$prefix/bin" && cp secondlight "$prefix/bin/.secondlight" && mv "$prefix/bin/.secondlight" "$prefix/bin/secondlight" ||
	fail "cannot write $prefix/bin: run it as root, or set PREFIX"
"$prefix/bin/secondlight" version
