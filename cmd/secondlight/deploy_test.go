package main

import (
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../../"

// TestDeploySettings checks that the settings in deploy are known and valid.
func TestDeploySettings(t *testing.T) {
	for file, environ := range map[string][]string{
		"secondlight.env":                       environmentFile(t, false),
		"secondlight.env with all its comments": environmentFile(t, true),
		"compose.yaml":                          composeEnvironment(t),
	} {
		for _, variable := range environ {
			if name, _, _ := strings.Cut(variable, "="); !slices.Contains(settingNames(), name) && !strings.HasPrefix(name, "AWS_") {
				t.Errorf("%s sets %s, which is not a setting", file, name)
			}
		}
		if _, err := readSettings(environ); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// environmentFile returns the variables of deploy/secondlight.env, with those in comments
// if commented is set.
func environmentFile(t *testing.T, commented bool) (environ []string) {
	t.Helper()
	assignment := regexp.MustCompile(`^(#?)([A-Z_]+=.*)$`)
	for line := range strings.Lines(readRoot(t, "deploy/secondlight.env")) {
		m := assignment.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case m != nil && (m[1] == "" || commented):
			environ = append(environ, parseEnvFile(m[2])...)
		case m == nil && line != "\n" && !strings.HasPrefix(line, "# "):
			t.Errorf("deploy/secondlight.env: %q is neither a variable nor a comment", line)
		}
	}
	return environ
}

// composeEnvironment returns the variables of the servers in deploy/compose.yaml.
func composeEnvironment(t *testing.T) (environ []string) {
	t.Helper()
	var compose struct {
		Services map[string]struct {
			Command     []string
			Entrypoint  []string
			Environment map[string]string
			Volumes     []string
		}
		Volumes map[string]any
	}
	decodeYAML(t, "deploy/compose.yaml", &compose)
	if names := slices.Sorted(maps.Keys(compose.Services)); !slices.Equal(names, []string{"backup", "caddy", "db", "migrate", "prometheus", "s3", "site1", "site2", "site3", "valkey"}) {
		t.Errorf("deploy/compose.yaml has the services %v", names)
	}
	for name, service := range compose.Services {
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, named := compose.Volumes[source]; named {
				continue
			}
			if _, err := os.Stat(root + "deploy/" + source); err != nil {
				t.Errorf("service %s mounts %s: %v", name, source, err)
			}
		}
	}
	site, s3 := compose.Services["site1"], compose.Services["s3"]
	address, err := url.Parse(site.Environment["BLOB_URL"])
	if err != nil || site.Environment["AWS_ACCESS_KEY_ID"] != s3.Environment["ROOT_ACCESS_KEY_ID"] || site.Environment["AWS_SECRET_ACCESS_KEY"] != s3.Environment["ROOT_SECRET_ACCESS_KEY"] {
		t.Errorf("the servers do not have the keys of s3: %v", err)
	} else if _, port, _ := strings.Cut(address.Query().Get("endpoint"), "http://s3"); port == "" ||
		!strings.Contains(s3.Entrypoint[len(s3.Entrypoint)-1], "mkdir -p /data/"+address.Host+" && exec versitygw --port "+port+" ") {
		t.Errorf("s3 does not create the bucket of %s, or has another port: %q", address, s3.Entrypoint)
	}
	disks := map[string]bool{}
	for _, name := range []string{"site1", "site2", "site3"} {
		disks[strings.Join(compose.Services[name].Volumes, " ")] = true
	}
	if len(disks) != 3 {
		t.Errorf("the servers have the volumes %v, want one of its own for each", slices.Sorted(maps.Keys(disks)))
	}
	parseCommand(t, site.Command)
	parseCommand(t, compose.Services["migrate"].Command)
	parseCommand(t, compose.Services["backup"].Command)
	values := strings.NewReplacer("${DOMAIN:?}", "shop.example", "${CONTACT_EMAIL:?}", "hello@shop.example", "${SMTP_URL:?}", "smtp://mail.example:587")
	for name, value := range site.Environment {
		environ = append(environ, name+"="+values.Replace(value))
	}
	return environ
}

// TestDeployUnits checks the form of the systemd units and their commands.
func TestDeployUnits(t *testing.T) {
	line := regexp.MustCompile(`^(#.*|\[(Unit|Service|Timer|Install)\]|[A-Z][A-Za-z]+=.*)?$`)
	for _, unit := range []string{"deploy/secondlight.service", "deploy/secondlight-backup.service", "deploy/secondlight-failed@.service", "deploy/secondlight-backup.timer"} {
		text := readRoot(t, unit)
		for l := range strings.Lines(text) {
			if !line.MatchString(strings.TrimSuffix(l, "\n")) {
				t.Errorf("%s: %q is not a line of a unit", unit, l)
			}
		}
		if strings.HasSuffix(unit, ".timer") {
			continue
		}
		checkCommands(t, text)
		if !strings.Contains(text, "\nEnvironmentFile=/etc/secondlight/secondlight.env\n") {
			t.Errorf("%s does not read the settings", unit)
		}
	}
	unit := readRoot(t, "deploy/secondlight.service")
	if !strings.Contains(unit, "\nType=notify\n") {
		t.Error("deploy/secondlight.service does not wait until the site is ready")
	}
	if strings.Contains(unit, "\nMemoryDenyWriteExecute=yes\n") {
		t.Error("deploy/secondlight.service forbids the memory that the decoders of HEIC and AVIF need")
	}
	if !strings.Contains(unit, "\nSystemCallFilter=setpriority\n") {
		t.Error("deploy/secondlight.service forbids that the encoder of AVIF has a low priority")
	}
}

// TestReleaseFiles checks that the files which packages and images are made of exist.
func TestReleaseFiles(t *testing.T) {
	var release struct {
		Builds   []struct{ Main string }
		Archives []struct{ Files []string }
		NFPMs    []struct {
			Scripts  map[string]string
			Contents []struct{ Src, Dst string }
		}
	}
	decodeYAML(t, ".goreleaser.yaml", &release)
	files := []string{release.Builds[0].Main}
	files = append(files, release.Archives[0].Files...)
	installed := readRoot(t, "deploy/secondlight.service")
	for _, document := range markdown(t, "docs/how-to/run") {
		installed += readRoot(t, document)
	}
	for _, p := range release.NFPMs {
		files = slices.AppendSeq(files, maps.Values(p.Scripts))
		for _, c := range p.Contents {
			files = append(files, c.Src)
			installed = strings.ReplaceAll(installed, c.Dst, "")
		}
	}
	for _, file := range files {
		if found, err := filepath.Glob(root + file); err != nil || len(found) == 0 {
			t.Errorf("there is no %s, %v", file, err)
		}
	}
	if missing := regexp.MustCompile(`/(usr/share|etc)/secondlight/\S+`).FindAllString(installed, -1); missing != nil {
		t.Errorf("the documentation and the service name %v, which the package does not install", missing)
	}
}

// TestLicencesAreReleased checks that archives, packages and images have the licences of the decoders
// of HEIC and AVIF.
func TestLicencesAreReleased(t *testing.T) {
	const licences = "models/picture/codec/licences"
	var release struct {
		Archives []struct{ Files []string }
		NFPMs    []struct{ Contents []struct{ Src string } }
	}
	decodeYAML(t, ".goreleaser.yaml", &release)
	for _, a := range release.Archives {
		if !slices.Contains(a.Files, licences+"/*") {
			t.Error("archives don't have the licences")
		}
	}
	for _, p := range release.NFPMs {
		if !slices.ContainsFunc(p.Contents, func(c struct{ Src string }) bool { return c.Src == licences+"/*" }) {
			t.Error("packages don't have the licences")
		}
	}
	if !strings.Contains(readRoot(t, ".ci/release"), ` "$image" `+licences+" /usr/share/doc/secondlight/licences ") {
		t.Error("images don't have the licences")
	}
	for _, library := range []string{"aom", "gen2brain", "libavif", "libde265", "libheif", "libyuv", "wazero"} {
		if len(readRoot(t, licences+"/LICENSE."+library)) < 1000 {
			t.Errorf("there is no licence of %s", library)
		}
	}
}

// TestInstallDocument checks that docs/how-to/run/install.md takes ten commands at most.
func TestInstallDocument(t *testing.T) {
	_, start, _ := strings.Cut(readRoot(t, "docs/how-to/run/install.md"), "\n```sh\n")
	start, _, _ = strings.Cut(start, "\n```\n")
	if n := strings.Count(start, "\n") + 1; n > 10 || n < 2 {
		t.Errorf("it takes %d commands to start", n)
	}
}

// TestSizesAreMeasured checks that docs/how-to/run/size.md and docs/performance.md have the figures that were measured.
func TestSizesAreMeasured(t *testing.T) {
	measured := readRoot(t, "docs/dev/measurements.md")
	_, size, _ := strings.Cut(readRoot(t, "docs/how-to/run/size.md"), "**Takes:**")
	results, _, _ := strings.Cut(readRoot(t, "docs/performance.md"), "\n## What a request costs")
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]*\|[^|]*\|([^|]*)\|[^|]*\|[^|]*\|$`).FindAllStringSubmatch(results, -1) {
		size += row[1]
	}
	figures := regexp.MustCompile(`\d[\d,.]*\d`).FindAllString(size, -1)
	if len(figures) < 10 {
		t.Errorf("the sizes have the figures %v", figures)
	}
	for _, figure := range figures {
		if !strings.Contains(measured, figure) && !strings.Contains(measured, strings.ReplaceAll(figure, ",", "")) {
			t.Errorf("%s is not in docs/dev/measurements.md, which was measured again: correct the sizes", figure)
		}
	}
}

// Calls of the program, in a text whose substitutions, such as $(date), and quoted words were replaced.
var (
	calls         = regexp.MustCompile("(?m)(?:^|[`;] ?|bin/|-- |--no-TTY )(?:secondlight|site1) ([a-z-][^\n|;#&'`<>]*)")
	substitutions = regexp.MustCompile(`"?\$?\$\([^)]*\)"?|'[^' \n]*'`)
)

// checkCommands checks that the calls of the program in a text are valid.
func checkCommands(t *testing.T, text string) {
	t.Helper()
	text = regexp.MustCompile(`(--\w+) (?:'[^'\n]*'|"[^"\n]*")`).ReplaceAllString(text, "$1 VALUE")
	found := calls.FindAllStringSubmatch(substitutions.ReplaceAllString(text, "VALUE"), -1)
	if found == nil {
		t.Error("the program is not called")
	}
	for _, call := range found {
		if args := strings.Fields(call[1]); !slices.Contains(args, "--help") {
			parseCommand(t, args)
		}
	}
}

// parseCommand checks that the program accepts arguments. Files need not exist.
func parseCommand(t *testing.T, args []string) {
	t.Helper()
	if _, err := commandLine().parse(args); err != nil && !errors.Is(err, errVersion) {
		t.Errorf("secondlight %s: %v", strings.Join(args, " "), err)
	}
}

func decodeYAML(t *testing.T, file string, v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readRoot(t, file)), v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// readRoot reads a file of the repository.
func readRoot(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(root + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
