package api

import (
	"context"
	"runtime"
	"time"

	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/api/storage"
	timeapi "github.com/siderolabs/talos/pkg/machinery/api/time"

	"talos-fleet/rehearsal/node/internal/machine"
)

const (
	memoryKiB = 4 * 1024 * 1024
	diskBytes = 40 * 1024 * 1024 * 1024
)

// Version answers with the version that the node was started with.
func (s *Server) Version(context.Context, *emptypb.Empty) (*machineapi.VersionResponse, error) {
	message := &machineapi.Version{
		Version: &machineapi.VersionInfo{
			Tag: s.Node.Settings.TalosVersion, Sha: "simulated", Built: "", GoVersion: runtime.Version(),
			Os: "linux", Arch: runtime.GOARCH,
		},
		Platform: &machineapi.PlatformInfo{Name: s.Node.Settings.Platform, Mode: s.Node.Settings.Mode().String()},
	}

	if cfg := s.Node.Config(); cfg != nil && cfg.Machine() != nil {
		message.Features = &machineapi.FeaturesInfo{Rbac: true}
	}

	return &machineapi.VersionResponse{Messages: []*machineapi.Version{message}}, nil
}

// Hostname of the node.
func (s *Server) Hostname(context.Context, *emptypb.Empty) (*machineapi.HostnameResponse, error) {
	return &machineapi.HostnameResponse{Messages: []*machineapi.Hostname{{Hostname: s.Node.Hostname()}}}, nil
}

// Memory of the pretended machine.
func (s *Server) Memory(context.Context, *emptypb.Empty) (*machineapi.MemoryResponse, error) {
	info := &machineapi.MemInfo{Memtotal: memoryKiB, Memfree: memoryKiB / 2, Memavailable: memoryKiB / 2}

	return &machineapi.MemoryResponse{Messages: []*machineapi.Memory{{Meminfo: info}}}, nil
}

// ServiceList tells the state of Talos's services.
func (s *Server) ServiceList(context.Context, *emptypb.Empty) (*machineapi.ServiceListResponse, error) {
	list := &machineapi.ServiceList{}

	for _, service := range s.services() {
		list.Services = append(list.Services, describe(service))
	}

	return &machineapi.ServiceListResponse{Messages: []*machineapi.ServiceList{list}}, nil
}

type service struct {
	id, state, message string
	healthy            bool
	since              time.Time
}

func (s *Server) services() []service {
	since := time.Now().Add(-s.Node.Configured())
	running := func(id string) service { return service{id, "Running", "Started task", true, since} }

	list := []service{running("apid"), running("containerd")}
	if s.Node.Config() == nil {
		return append(list, running("machined"))
	}

	list = append(list, running("cri"))
	if s.Node.ControlPlane() {
		list = append(list, s.etcdService(since))
	}

	kubelet := running("kubelet")
	if failure := s.KubeletFailure(); failure != "" {
		kubelet = service{"kubelet", "Waiting", failure, false, since}
	}

	list = append(list, kubelet, running("machined"))
	if s.Node.ControlPlane() {
		list = append(list, running("trustd"))
	}

	return list
}

func (s *Server) etcdService(since time.Time) service {
	status := s.Etcd.Status()

	switch {
	case status.Removed:
		return service{"etcd", "Failed", "the member has been permanently removed from the cluster", false, since}
	case !status.Running:
		return service{"etcd", "Preparing", "Running pre state", false, since}
	default:
		return service{"etcd", "Running", "Started task", status.Healthy, since}
	}
}

func describe(s service) *machineapi.ServiceInfo {
	message := ""
	if !s.healthy {
		message = "context deadline exceeded"
	}

	return &machineapi.ServiceInfo{
		Id: s.id, State: s.state,
		Events: &machineapi.ServiceEvents{Events: []*machineapi.ServiceEvent{
			{Msg: s.message, State: s.state, Ts: timestamppb.New(s.since)},
		}},
		Health: &machineapi.ServiceHealth{
			Unknown: s.state != "Running", Healthy: s.healthy, LastMessage: message, LastChange: timestamppb.New(s.since),
		},
	}
}

type storageServer struct {
	storage.UnimplementedStorageServiceServer

	node *machine.Node
}

// Disks is what clients ask to learn whether a node is in maintenance mode.
func (s *storageServer) Disks(context.Context, *emptypb.Empty) (*storage.DisksResponse, error) {
	list := &storage.Disks{}
	if !s.node.Settings.InContainer() {
		list.Disks = []*storage.Disk{{DeviceName: "/dev/sda", Model: "QEMU HARDDISK", Size: diskBytes, Type: storage.Disk_HDD, SystemDisk: true}}
	}

	return &storage.DisksResponse{Messages: []*storage.Disks{list}}, nil
}

type timeServer struct {
	timeapi.UnimplementedTimeServiceServer
}

// Time is always in sync.
func (timeServer) Time(context.Context, *emptypb.Empty) (*timeapi.TimeResponse, error) {
	now := timestamppb.Now()

	return &timeapi.TimeResponse{Messages: []*timeapi.Time{{Server: "simulated", Localtime: now, Remotetime: now}}}, nil
}
