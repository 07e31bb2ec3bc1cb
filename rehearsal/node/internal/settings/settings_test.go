package settings

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestRoutes(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "routes.json")
	if err := os.WriteFile(file, []byte(`{"10.5.0.3:50000":"127.0.0.1:7","10.5.0.4:50001":"127.0.0.1:8","10.5.0.3:50001":"127.0.0.1:9"}`), 0o600); err != nil {
		t.Fatal(err)
	}

	s, err := Parse([]string{
		"--name", "a", "--address", "10.5.0.2", "--state", "s", "--data", "d", "--talos", "127.0.0.1:1",
		"--kubernetes", "127.0.0.1:2", "--trustd", "127.0.0.1:3", "--routes", file,
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}

	for target, want := range map[string]string{
		"10.5.0.3:50000": "127.0.0.1:7", "10.5.0.2:50000": "127.0.0.1:1", "10.5.0.2:6443": "127.0.0.1:2",
		"10.5.0.2:50001": "127.0.0.1:3", "10.5.0.9:50000": "10.5.0.9:50000",
	} {
		if got := s.resolve(target); got != want {
			t.Errorf("%s: %s", target, got)
		}
	}

	if hosts := s.RoutedHosts("50001"); len(hosts) != 2 || hosts[0] != "10.5.0.3" {
		t.Errorf("hosts: %v", hosts)
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	t.Parallel()

	full := []string{"--name", "a", "--address", "10.5.0.2", "--state", "s", "--data", "d"}
	for name, arguments := range map[string][]string{
		"name": full[2:], "address": append([]string{}, full[:2]...), "folders": full[:4],
		"platform": append(append([]string{}, full...), "--platform", "aws"), "bad address": append(append([]string{}, full...), "--address", "x"),
	} {
		if _, err := Parse(arguments, io.Discard); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestWithRoutesNothingButLoopbackIsDialled(t *testing.T) {
	routes := filepath.Join(t.TempDir(), "routes.json")
	if err := os.WriteFile(routes, []byte(`{"10.5.0.3:50000":"192.0.2.1:50000"}`), 0o600); err != nil {
		t.Fatal(err)
	}

	for _, target := range []string{"10.5.0.9:50000", "10.5.0.3:50000", "example.net:6443"} {
		_, err := Settings{RoutesFile: routes}.Dial(context.Background(), target)
		if !errors.Is(err, syscall.EHOSTUNREACH) {
			t.Errorf("%s: %v, wanted no route to host", target, err)
		}
	}
}
