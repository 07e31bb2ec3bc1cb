package api

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"

	"talos-fleet/rehearsal/node/internal/machine"
)

// Events sends a hello, then what happens.
func (s *Server) Events(in *machineapi.EventsRequest, out grpc.ServerStreamingServer[machineapi.Event]) error {
	events, stop := s.Node.Events.Watch()
	defer stop()

	hello, err := machine.NewEvent(nil, in.WithActorId)
	if err != nil {
		return err
	}

	if err = out.Send(hello); err != nil {
		return err
	}

	for {
		select {
		case <-s.Done:
			return nil
		case <-out.Context().Done():
			return out.Context().Err()
		case event := <-events:
			if in.WithActorId != "" && in.WithActorId != event.ActorId {
				continue
			}

			if err = out.Send(event); err != nil {
				return err
			}
		}
	}
}

// Read gives files of the pretended machine; only kernel values exist.
func (s *Server) Read(in *machineapi.ReadRequest, out grpc.ServerStreamingServer[common.Data]) error {
	text, err := s.file(path.Clean(in.Path))
	if err != nil {
		return err
	}

	return out.Send(&common.Data{Bytes: []byte(text)})
}

func (s *Server) file(name string) (string, error) {
	missing := status.Errorf(codes.NotFound, "stat %s: no such file or directory", name)

	switch name {
	case "/proc/sys/kernel/random/boot_id":
		return s.Node.BootID + "\n", nil
	case "/etc/hosts":
		return s.hosts(), nil
	}

	key, ok := strings.CutPrefix(name, "/proc/sys/")
	if !ok {
		return "", missing
	}

	if cfg := s.Node.Config(); cfg != nil && cfg.Machine() != nil {
		for sysctl, value := range cfg.Machine().Sysctls() {
			if strings.ReplaceAll(sysctl, ".", "/") == key {
				return value + "\n", nil
			}
		}
	}

	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", missing
	}

	return string(text), err
}

// hosts is /etc/hosts with the config's extra entries.
func (s *Server) hosts() string {
	var b strings.Builder

	name := s.Node.Hostname()
	b.WriteString("127.0.0.1       localhost\n" + s.Node.NodeIP().String() + "       " + name + "\n::1             localhost ip6-localhost ip6-loopback\n")

	if cfg := s.Node.Config(); cfg != nil {
		for _, entry := range cfg.NetworkStaticHostConfig() {
			b.WriteString(entry.IP() + "       " + strings.Join(entry.Aliases(), " ") + "\n")
		}
	}

	return b.String()
}

// List names the few files that Read can give.
func (s *Server) List(in *machineapi.ListRequest, out grpc.ServerStreamingServer[machineapi.FileInfo]) error {
	root := in.Root
	if root == "" {
		root = "/"
	}

	names := map[string][]string{"/": {"etc", "proc", "system", "var"}, "/etc": {"hosts"}, "/var": {"lib", "log"}}

	children, ok := names[path.Clean(root)]
	if !ok {
		return status.Errorf(codes.NotFound, "lstat %s: no such file or directory", root)
	}

	const folder, file = uint32(fs.ModeDir | 0o755), uint32(0o644)

	if err := out.Send(&machineapi.FileInfo{Name: root, RelativeName: ".", IsDir: true, Mode: folder}); err != nil {
		return err
	}

	for _, child := range children {
		info := &machineapi.FileInfo{Name: path.Join(root, child), RelativeName: child, IsDir: child != "hosts", Mode: folder}
		if !info.IsDir {
			info.Mode = file
		}

		if err := out.Send(info); err != nil {
			return err
		}
	}

	return nil
}

// Logs gives the node's own log for every service.
func (s *Server) Logs(in *machineapi.LogsRequest, out grpc.ServerStreamingServer[common.Data]) error {
	return s.sendLog(int(in.TailLines), in.Follow, out)
}

// Dmesg gives the node's own log.
func (s *Server) Dmesg(in *machineapi.DmesgRequest, out grpc.ServerStreamingServer[common.Data]) error {
	return s.sendLog(-1, in.Follow, out)
}

func (s *Server) sendLog(count int, follow bool, out grpc.ServerStreamingServer[common.Data]) error {
	if s.Log == nil {
		return nil
	}

	if err := out.Send(&common.Data{Bytes: s.Log.Last(count)}); err != nil || !follow {
		return err
	}

	select {
	case <-s.Done:
	case <-out.Context().Done():
	}

	return nil
}
