package run_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"

	"talos-fleet/rehearsal/node/internal/client"
	"talos-fleet/rehearsal/node/internal/lines"
	"talos-fleet/rehearsal/node/internal/run"
	"talos-fleet/rehearsal/node/internal/settings"
)

// logged is what all nodes of this process log.
var logged = &lines.Log{Out: io.Discard}

func TestMain(m *testing.M) {
	log.SetOutput(logged)
	os.Exit(m.Run())
}

// lab is a cluster of nodes in this process, each on a loopback address of its own.
type lab struct {
	t      *testing.T
	prefix string
	input  *generate.Input
	access client.ClientConfiguration
	stops  map[int]func()
	dir    string
}

func newLab(t *testing.T) *lab {
	t.Helper()

	l := &lab{
		t: t, prefix: fmt.Sprintf("127.%d.%d", 100+rand.IntN(100), rand.IntN(250)), stops: map[int]func(){}, dir: t.TempDir(),
	}

	var err error
	if l.input, err = generate.NewInput("lab", "https://"+l.address(2)+":6443", "1.36.3"); err != nil {
		t.Fatal(err)
	}

	talosconfig, err := l.input.Talosconfig()
	if err != nil {
		t.Fatal(err)
	}

	entry := talosconfig.Contexts[talosconfig.Context]
	l.access = client.ClientConfiguration{CACertificate: entry.CA, ClientCertificate: entry.Crt, ClientKey: entry.Key}

	t.Cleanup(func() {
		for _, stop := range l.stops {
			stop()
		}
	})

	return l
}

func (l *lab) address(i int) string { return fmt.Sprintf("%s.%d", l.prefix, i) }

func (l *lab) start(i int) {
	address := l.address(i)
	folder := filepath.Join(l.dir, fmt.Sprint(i))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)

	go func() {
		done <- run.Node(ctx, settings.Settings{
			Name: fmt.Sprintf("node-%d", i), Addresses: []netip.Addr{netip.MustParseAddr(address)},
			Talos: address + ":50000", Kubernetes: address + ":6443", Trustd: address + ":50001",
			StateDir: filepath.Join(folder, "state"), DataDir: filepath.Join(folder, "data"),
			TalosVersion: "v1.13.10", Platform: "container", Schematic: "abc", NodeTimeout: 2 * time.Second,
			KnobsFile: filepath.Join(l.dir, "knobs.json"),
		}, nil)
	}()

	l.stops[i] = func() {
		cancel()

		if err := <-done; err != nil {
			l.t.Errorf("node %d: %s", i, err)
		}

		delete(l.stops, i)
	}
}

// knobs turns them, for running nodes too.
func (l *lab) knobs(text string) {
	l.t.Helper()

	if err := os.WriteFile(filepath.Join(l.dir, "knobs.json"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) config(kind machine.Type) string {
	cfg, err := l.input.Config(kind)
	if err != nil {
		l.t.Fatal(err)
	}

	return text(l.t, cfg)
}

func text(t *testing.T, cfg config.Provider) string {
	t.Helper()

	bytes, err := cfg.Bytes()
	if err != nil {
		t.Fatal(err)
	}

	return string(bytes)
}

func (l *lab) request(op string, i int) client.Request {
	return client.Request{Op: op, Endpoint: l.address(i), Node: l.address(i), ClientConfiguration: l.access}
}

func (l *lab) do(r client.Request) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	return client.Do(ctx, r)
}

// eventually retries as callers do.
func (l *lab) eventually(what string, try func() error) {
	l.t.Helper()

	var err error

	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if err = try(); err == nil {
			return
		}
	}

	l.t.Fatalf("%s: %s", what, err)
}

func (l *lab) apply(i int, text, mode string) (any, error) {
	r := l.request("apply", i)
	r.Config, r.Mode = text, mode

	return l.do(r)
}

func (l *lab) mustApply(i int, text string) {
	l.t.Helper()
	l.eventually("apply", func() error {
		_, err := l.apply(i, text, "no_reboot")

		return err
	})
}

func (l *lab) bootstrap(i int) {
	l.t.Helper()
	l.eventually("bootstrap", func() error {
		_, err := l.do(l.request("bootstrap", i))

		return err
	})
}

func (l *lab) healthy(controlPlanes, workers []int) {
	l.t.Helper()

	r := client.Request{Op: "health", Endpoints: []string{l.address(controlPlanes[0])}, ClientConfiguration: l.access}
	// Without a worker CoreDNS finds no node.
	r.SkipKubernetesChecks = len(workers) == 0

	for _, i := range controlPlanes {
		r.ControlPlaneNodes = append(r.ControlPlaneNodes, l.address(i))
	}

	for _, i := range workers {
		r.WorkerNodes = append(r.WorkerNodes, l.address(i))
	}

	l.eventually("health", func() error {
		_, err := l.do(r)

		return err
	})
}

func decode(t *testing.T, text string) []byte {
	t.Helper()

	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}

	return bytes
}
