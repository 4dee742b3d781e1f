package main

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

type healthCommand struct {
	Strict bool `help:"Also fail while the site is degraded: some requests fail, such as all writes."`
}

func (healthCommand) Help() string {
	return "Asks the server at LISTEN_ADDR whether it is to receive requests, for health checks of containers, which have no shell. The exit status is 1 if it isn't."
}

// healthTimeout limits the wait for an answer.
const healthTimeout = 5 * time.Second

func (cmd healthCommand) Run(c *console) error {
	set, err := readSettings(c.env)
	if err != nil {
		return err
	}
	host, port, _ := net.SplitHostPort(set.ListenAddr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	path := "/readyz"
	if cmd.Strict {
		path = "/api/health?strict"
	}
	client := http.Client{Timeout: healthTimeout}
	response, err := client.Get("http://" + net.JoinHostPort(host, port) + path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", path, response.Status)
	}
	fmt.Fprintln(c.out, "ok")
	return nil
}
