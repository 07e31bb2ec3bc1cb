package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"

	"talos-fleet/rehearsal/node/internal/client"
)

// asProcess makes this test binary the node itself.
const asProcess = "SIMNODE_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		os.Exit(start())
	}

	os.Exit(m.Run())
}

// node runs one until it logs the line; its exit code comes later.
func node(t *testing.T, platform, address, line string) (*exec.Cmd, <-chan int) {
	t.Helper()

	dir := t.TempDir()
	command := exec.Command(os.Args[0], "run", "--name", "a", "--address", address, "--talos", address+":50000", //nolint:gosec
		"--state", filepath.Join(dir, "state"), "--data", filepath.Join(dir, "data"), "--platform", platform)
	command.Env = append(os.Environ(), asProcess+"=1")

	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}

	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() { _ = command.Process.Kill() })

	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.Contains(lines.Text(), line) {
	}

	code := make(chan int, 1)

	go func() {
		_, _ = io.Copy(io.Discard, output)

		var exit *exec.ExitError
		if failure := command.Wait(); errors.As(failure, &exit) {
			code <- exit.ExitCode()
		} else {
			code <- 0
		}
	}()

	return command, code
}

func wantExit(t *testing.T, code <-chan int, wanted int) {
	t.Helper()

	select {
	case got := <-code:
		if got != wanted {
			t.Errorf("exit code %d, wanted %d", got, wanted)
		}
	case <-time.After(10 * time.Second):
		t.Error("does not end")
	}
}

func TestStopEndsAContainerAsThePowerButtonOfItsKernel(t *testing.T) {
	t.Parallel()

	for platform, wanted := range map[string]int{"container": shutDown, "hcloud": 0} {
		command, code := node(t, platform, "127.90.1.2", "maintenance mode")
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}

		wantExit(t, code, wanted)
	}
}

func TestRebootEndsAContainer(t *testing.T) {
	t.Parallel()

	const address = "127.90.1.3"

	input, err := generate.NewInput("lab", "https://"+address+":6443", "1.36.3")
	if err != nil {
		t.Fatal(err)
	}

	cfg, err := input.Config(machine.TypeControlPlane)
	if err != nil {
		t.Fatal(err)
	}

	talosconfig, err := input.Talosconfig()
	if err != nil {
		t.Fatal(err)
	}

	text, err := cfg.Bytes()
	if err != nil {
		t.Fatal(err)
	}

	entry := talosconfig.Contexts[talosconfig.Context]
	request := client.Request{
		Op: "apply", Endpoint: address, Node: address, Config: string(text), Mode: "no_reboot",
		ClientConfiguration: client.ClientConfiguration{CACertificate: entry.CA, ClientCertificate: entry.Crt, ClientKey: entry.Key},
	}
	_, code := node(t, "container", address, "maintenance mode")

	for _, mode := range []string{"no_reboot", "reboot"} {
		request.Mode = mode

		for end := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if _, err = client.Do(context.Background(), request); err == nil {
				break
			}

			if time.Now().After(end) {
				t.Fatal(err)
			}
		}

		if mode == "no_reboot" {
			request.Op = "kubeconfig"
			for end := time.Now().Add(5 * time.Second); err == nil && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
				if _, failure := client.Do(context.Background(), request); failure == nil {
					break
				}
			}
			request.Op = "apply"
		}
	}

	wantExit(t, code, rebooted)
}
