package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// The settings and the program that the package installs.
const (
	packageEnvFile = "/etc/secondlight/secondlight.env"
	packageProgram = "/usr/bin/secondlight"
)

// withEnvFile adds the variables of a file to an environment, whose own variables take precedence.
// Without a name, the program that the package installed reads the package's file, and any other
// program reads none. The variables are also set for the process, because libraries read
// credentials there.
func withEnvFile(name string, environ []string) ([]string, error) {
	if program, err := os.Executable(); name == "" && err == nil && program == packageProgram {
		if _, err := os.Stat(packageEnvFile); err == nil || !errors.Is(err, fs.ErrNotExist) {
			name = packageEnvFile
		}
	}
	if name == "" {
		return environ, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	has := map[string]bool{}
	for _, variable := range environ {
		key, _, _ := strings.Cut(variable, "=")
		has[key] = true
	}
	for _, variable := range parseEnvFile(string(text)) {
		key, value, _ := strings.Cut(variable, "=")
		if has[key] {
			continue
		}
		environ = append(environ, variable)
		if err := os.Setenv(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return environ, nil
}

// parseEnvFile returns the variables of a file by the rules of EnvironmentFile in
// systemd.exec(5): nothing is expanded, so that & and $ stand for themselves.
func parseEnvFile(text string) (variables []string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		if !ok || line[0] == '#' || line[0] == ';' {
			continue
		}
		variables = append(variables, strings.TrimSpace(key)+"="+unquote(strings.TrimSpace(value)))
	}
	return variables
}

// unquote returns a value without its quotes and escapes: a backslash escapes any character
// outside quotes, and only those that a shell would interpret within double quotes.
func unquote(value string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\' && i+1 < len(value) && (quote == 0 || quote == '"' && strings.IndexByte("\"\\`$", value[i+1]) >= 0):
			i++
			b.WriteByte(value[i])
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote && quote != 0:
			quote = 0
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
