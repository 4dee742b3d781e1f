#!/bin/sh
# Runs after the deb or rpm package is installed or upgraded: creates the user, lets it read
# the settings, and restarts the service if it runs.
set -e
systemd-sysusers secondlight.conf
# Commands run as the user of the service, and read its settings.
chgrp secondlight /etc/secondlight/secondlight.env
chmod 640 /etc/secondlight/secondlight.env
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart secondlight.service || true # its log says why
fi
