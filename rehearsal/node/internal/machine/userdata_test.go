package machine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"

	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/settings"
)

func config(t *testing.T, cluster string) []byte {
	t.Helper()

	input, err := generate.NewInput(cluster, "https://10.5.0.2:6443", "1.36.3")
	if err != nil {
		t.Fatal(err)
	}

	cfg, err := input.Config(talosmachine.TypeWorker)
	if err != nil {
		t.Fatal(err)
	}

	text, err := cfg.Bytes()
	if err != nil {
		t.Fatal(err)
	}

	return text
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()

	var out bytes.Buffer

	writer := gzip.NewWriter(&out)
	if _, err := writer.Write(text); err != nil {
		t.Fatal(err)
	}

	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}

	return out.Bytes()
}

func start(dir, userData string) (*machine.Node, error) {
	return machine.New(settings.Settings{
		Name: "node", Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, Platform: "container", TalosVersion: "v1.13.10",
		StateDir: filepath.Join(dir, "state"), DataDir: filepath.Join(dir, "data"), UserData: userData,
	})
}

func TestUserData(t *testing.T) {
	t.Parallel()

	for name, text := range map[string][]byte{"plain": config(t, "first"), "gzipped": gzipped(t, config(t, "first"))} {
		dir := t.TempDir()

		node, err := start(dir, base64.StdEncoding.EncodeToString(text))
		if err != nil {
			t.Fatal(err)
		}

		if node.Config() == nil || node.Config().Cluster().Name() != "first" {
			t.Errorf("%s: no config from USERDATA", name)
		}

		// From now on it is STATE that counts.
		node, err = start(dir, base64.StdEncoding.EncodeToString(config(t, "second")))
		if err != nil {
			t.Fatal(err)
		}

		if got := node.Config().Cluster().Name(); got != "first" {
			t.Errorf("%s: STATE has the config of first, used is %s", name, got)
		}
	}
}

func TestBadUserData(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()

	_, err := start(dir, base64.StdEncoding.EncodeToString([]byte("machine: {colour: red}")))
	if err == nil || !strings.HasPrefix(err.Error(), "USERDATA: ") {
		t.Errorf("taken: %v", err)
	}

	if _, statErr := os.Stat(filepath.Join(dir, "state", "config.yaml")); !os.IsNotExist(statErr) {
		t.Errorf("kept in STATE: %v", statErr)
	}
}
