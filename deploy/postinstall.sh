#!/bin/sh
# Runs after the deb or rpm package is installed or upgraded: creates the user, and restarts
# the service if it runs.
set -e
systemd-sysusers secondlight.conf
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart secondlight.service || true # its log says why
fi
