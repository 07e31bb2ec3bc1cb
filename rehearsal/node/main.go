// Command simnode is a simulated Talos node, and a client that speaks to nodes as the Talos provider does.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"talos-fleet/rehearsal/node/internal/client"
	"talos-fleet/rehearsal/node/internal/lines"
	"talos-fleet/rehearsal/node/internal/run"
	"talos-fleet/rehearsal/node/internal/settings"
)

// Exit codes of a process 1 in a container that reboots and that shuts down: the kernel kills it by SIGHUP and SIGINT.
const (
	rebooted = 129
	shutDown = 130
)

func main() { os.Exit(start()) }

func start() int {
	output := &lines.Log{Out: os.Stdout}
	log.SetOutput(output)
	log.SetFlags(log.Ltime | log.Lmicroseconds)

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	if filepath.Base(os.Args[0]) == "init" && len(os.Args) == 1 {
		s, err := settings.FromContainer()
		if err != nil {
			return fail(err)
		}

		return runNode(ctx, s, output)
	}

	switch {
	case len(os.Args) > 1 && os.Args[1] == "run":
		s, err := settings.Parse(os.Args[2:], os.Stderr)
		if err != nil {
			return fail(err)
		}

		return runNode(ctx, s, output)
	case len(os.Args) == 2 && os.Args[1] == "client":
		return client.Main(ctx, os.Stdin, os.Stdout)
	}

	fmt.Fprintln(os.Stderr, "usage: simnode run --name NAME --address ADDRESS --state DIR --data DIR ... | simnode client")

	return 2
}

func runNode(ctx context.Context, s settings.Settings, output *lines.Log) int {
	for {
		err := run.Node(ctx, s, output)

		switch {
		case err == nil:
			log.Print("stopped")

			if s.InContainer() {
				return shutDown
			}

			return 0
		case !errors.Is(err, run.ErrReboot):
			return fail(err)
		case s.InContainer():
			return rebooted
		}
	}
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "simnode: "+err.Error())

	return 1
}
