#!/bin/sh
# Runs before the deb or rpm package is removed or upgraded: stops the service if it is
# removed. Data, settings and backups stay.
set -e
case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now secondlight.service secondlight-backup.timer
fi
