//go:build linux

package main

func chart(empty *measured, all []*measured) []byte { return nil }
