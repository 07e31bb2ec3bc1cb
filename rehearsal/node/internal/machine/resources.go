package machine

import (
	"context"
	"sync"

	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/impl/inmem"
	"github.com/cosi-project/runtime/pkg/state/impl/namespaced"
	"github.com/cosi-project/runtime/pkg/state/registry"

	"github.com/siderolabs/talos/pkg/machinery/resources/block"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"
	"github.com/siderolabs/talos/pkg/machinery/resources/config"
	"github.com/siderolabs/talos/pkg/machinery/resources/etcd"
	"github.com/siderolabs/talos/pkg/machinery/resources/files"
	"github.com/siderolabs/talos/pkg/machinery/resources/hardware"
	"github.com/siderolabs/talos/pkg/machinery/resources/k8s"
	"github.com/siderolabs/talos/pkg/machinery/resources/network"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
	"github.com/siderolabs/talos/pkg/machinery/resources/secrets"
	"github.com/siderolabs/talos/pkg/machinery/resources/v1alpha1"

	"talos-fleet/rehearsal/node/internal/settings"
)

const (
	stageMaintenance = runtime.MachineStageMaintenance
	stageBooting     = runtime.MachineStageBooting
	stageRunning     = runtime.MachineStageRunning
)

// Resources is the resource API of the node.
type Resources struct {
	State state.State
	mu    sync.Mutex
	// owned lists what each part of the node has put, to remove what it no longer puts.
	owned map[string]map[string]resource.Pointer
}

var namespaces = []string{
	v1alpha1.NamespaceName, cluster.NamespaceName, cluster.RawNamespaceName, config.NamespaceName, etcd.NamespaceName,
	files.NamespaceName, hardware.NamespaceName, k8s.NamespaceName, k8s.ControlPlaneNamespaceName,
	network.NamespaceName, network.ConfigNamespaceName, secrets.NamespaceName,
}

var kinds = []meta.ResourceWithRD{
	&block.Disk{}, &block.SystemDisk{}, &block.VolumeStatus{}, &block.DiscoveredVolume{},
	&cluster.Affiliate{}, &cluster.Identity{}, &cluster.Info{}, &cluster.Member{},
	&config.MachineConfig{}, &config.MachineType{}, &etcd.Member{},
	&k8s.BootstrapManifestsConfig{}, &k8s.KubeletSpec{}, &k8s.Nodename{}, &k8s.NodeStatus{}, &k8s.StaticPod{},
	&k8s.StaticPodStatus{}, &k8s.APIServerConfig{}, &k8s.ControllerManagerConfig{}, &k8s.SchedulerConfig{},
	&k8s.KubePrismEndpoints{}, &k8s.NodeLabelSpec{}, &k8s.NodeTaintSpec{},
	&network.NodeAddress{}, &network.HostnameStatus{}, &network.AddressStatus{},
	&runtime.Diagnostic{}, &runtime.ExtensionStatus{}, &runtime.KernelParamStatus{}, &runtime.MachineStatus{},
	&runtime.MetaKey{}, &runtime.PlatformMetadata{}, &runtime.Version{}, &v1alpha1.Service{},
}

func newResources(s settings.Settings) (*Resources, error) {
	ctx := context.Background()
	r := &Resources{
		State: state.WrapCore(namespaced.NewState(inmem.Build)),
		owned: map[string]map[string]resource.Pointer{},
	}

	spaces, types := registry.NewNamespaceRegistry(r.State), registry.NewResourceRegistry(r.State)

	if err := spaces.RegisterDefault(ctx); err != nil {
		return nil, err
	}

	if err := types.RegisterDefault(ctx); err != nil {
		return nil, err
	}

	for _, name := range namespaces {
		if err := spaces.Register(ctx, name, name); err != nil {
			return nil, err
		}
	}

	for _, kind := range kinds {
		if err := types.Register(ctx, kind); err != nil {
			return nil, err
		}
	}

	r.setMachine(s)

	return r, nil
}

// Put makes these the only resources of one owner: others that it put before are removed.
func (r *Resources) Put(owner string, resources ...resource.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()

	ctx := context.Background()
	now := map[string]resource.Pointer{}

	for _, item := range resources {
		now[item.Metadata().Type()+"/"+item.Metadata().ID()] = item.Metadata()
		put(ctx, r.State, item)
	}

	for key, pointer := range r.owned[owner] {
		if _, kept := now[key]; !kept {
			_ = r.State.Destroy(ctx, pointer)
		}
	}

	r.owned[owner] = now
}

func put(ctx context.Context, st state.State, item resource.Resource) {
	old, err := st.Get(ctx, item.Metadata())
	if err != nil {
		_ = st.Create(ctx, item)

		return
	}

	item.Metadata().SetVersion(old.Metadata().Version())
	item.Metadata().SetCreated(old.Metadata().Created())
	item.Metadata().SetUpdated(old.Metadata().Updated())

	if resource.Equal(old, item) {
		return
	}

	_ = st.Update(ctx, item)
}

// SetStage publishes the machine's stage.
func (r *Resources) SetStage(stage runtime.MachineStage, ready bool) {
	status := runtime.NewMachineStatus()
	status.TypedSpec().Stage = stage
	status.TypedSpec().Status.Ready = ready

	if !ready {
		status.TypedSpec().Status.UnmetConditions = []runtime.UnmetCondition{{Name: "services", Reason: "not all services are healthy"}}
	}

	r.Put("stage", status)
}

// SetRunning publishes booting or running, by whether everything that must run does.
func (r *Resources) SetRunning(booted, ready bool) {
	if booted {
		r.SetStage(stageRunning, ready)
	} else {
		r.SetStage(stageBooting, false)
	}
}
