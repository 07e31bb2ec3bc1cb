package machine

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/cosi-project/runtime/pkg/resource"

	talosconfig "github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/resources/block"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"
	"github.com/siderolabs/talos/pkg/machinery/resources/config"
	"github.com/siderolabs/talos/pkg/machinery/resources/k8s"
	"github.com/siderolabs/talos/pkg/machinery/resources/network"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"

	"talos-fleet/rehearsal/node/internal/settings"
)

const diskSize = 40 * 1024 * 1024 * 1024

// setMachine publishes what is known without a config.
func (r *Resources) setMachine(s settings.Settings) {
	version := runtime.NewVersion()
	version.TypedSpec().Name, version.TypedSpec().Version = "Talos", s.TalosVersion

	platform := runtime.NewPlatformMetadataSpec(runtime.NamespaceName, runtime.PlatformMetadataID)
	platform.TypedSpec().Platform, platform.TypedSpec().Hostname = s.Platform, s.Name

	all := []resource.Resource{version, platform}
	all = append(all, addresses(s)...)
	all = append(all, volumes(s)...)

	if s.Schematic != "" {
		extension := runtime.NewExtensionStatus(runtime.NamespaceName, "0")
		extension.TypedSpec().Metadata.Name = "schematic"
		extension.TypedSpec().Metadata.Version = s.Schematic
		extension.TypedSpec().Metadata.Description = "Virtual extension which specifies the schematic of the image built with Image Factory."
		extension.TypedSpec().Metadata.Author = "Image Factory"
		all = append(all, extension)
	}

	r.Put("machine", all...)
	r.Put("hostname", hostnameStatus(s.Name))
}

func hostnameStatus(name string) resource.Resource {
	status := network.NewHostnameStatus(network.NamespaceName, network.HostnameID)
	status.TypedSpec().Hostname, status.TypedSpec().Domainname, _ = strings.Cut(name, ".")

	return status
}

func addresses(s settings.Settings) []resource.Resource {
	var prefixes []netip.Prefix
	for _, address := range s.Addresses {
		prefixes = append(prefixes, netip.PrefixFrom(address, address.BitLen()))
	}

	var all []resource.Resource

	for _, id := range []string{network.NodeAddressCurrentID, network.NodeAddressRoutedID, network.NodeAddressDefaultID} {
		item := network.NewNodeAddress(network.NamespaceName, id)
		item.TypedSpec().Addresses = prefixes

		if id == network.NodeAddressDefaultID {
			item.TypedSpec().Addresses = prefixes[:1]
		}

		all = append(all, item)
	}

	return all
}

// volumes: in a container STATE and EPHEMERAL are folders without a location and there is no disk.
func volumes(s settings.Settings) []resource.Resource {
	var all []resource.Resource

	for i, name := range []string{"STATE", "EPHEMERAL"} {
		volume := block.NewVolumeStatus(block.NamespaceName, name)
		volume.TypedSpec().Phase = block.VolumePhaseReady
		volume.TypedSpec().Type = block.VolumeTypeDirectory

		if !s.InContainer() {
			volume.TypedSpec().Type = block.VolumeTypePartition
			volume.TypedSpec().Location = "/dev/sda" + strconv.Itoa(5+i)
			volume.TypedSpec().ParentLocation = "/dev/sda"
			volume.TypedSpec().Filesystem = block.FilesystemTypeXFS
			volume.TypedSpec().SetSize([]uint64{100 * 1024 * 1024, diskSize}[i])
		}

		all = append(all, volume)
	}

	if !s.InContainer() {
		disk := block.NewDisk(block.NamespaceName, "sda")
		disk.TypedSpec().DevPath = "/dev/sda"
		disk.TypedSpec().SetSize(diskSize)
		disk.TypedSpec().IOSize, disk.TypedSpec().SectorSize = 512, 512
		disk.TypedSpec().Model, disk.TypedSpec().Transport, disk.TypedSpec().Rotational = "QEMU HARDDISK", "virtio", true
		disk.TypedSpec().SubSystem = "/sys/class/block"

		system := block.NewSystemDisk(block.NamespaceName, block.SystemDiskID)
		system.TypedSpec().DiskID, system.TypedSpec().DevPath = "sda", "/dev/sda"
		all = append(all, disk, system)
	}

	return all
}

func (r *Resources) setPersistent(cfg talosconfig.Provider) {
	r.Put("persistent", config.NewMachineConfigWithID(cfg, config.PersistentID))
}

// setConfig publishes the config in use and what follows from it.
func (r *Resources) setConfig(n *Node, cfg talosconfig.Provider) {
	r.Put("active", config.NewMachineConfig(cfg))

	name := hostname(n.Settings.Name, cfg)
	r.Put("hostname", hostnameStatus(name))

	if cfg.Machine() == nil || cfg.Cluster() == nil {
		return
	}

	machineType := config.NewMachineType()
	machineType.SetMachineType(cfg.Machine().Type())

	nodename := k8s.NewNodename(k8s.NamespaceName, k8s.NodenameID)
	nodename.TypedSpec().Nodename = name

	info := cluster.NewInfo()
	info.TypedSpec().ClusterID, info.TypedSpec().ClusterName = cfg.Cluster().ID(), cfg.Cluster().Name()

	all := []resource.Resource{machineType, nodename, info, kubeletSpec(name, cfg)}
	all = append(all, kernelParams(cfg)...)

	if cfg.Machine().Type().IsControlPlane() {
		all = append(all, manifests(cfg))
	}

	r.Put("config", all...)
}

func kubeletSpec(name string, cfg talosconfig.Provider) resource.Resource {
	spec := k8s.NewKubeletSpec(k8s.NamespaceName, k8s.KubeletID)
	spec.TypedSpec().Image = cfg.Machine().Kubelet().Image()
	spec.TypedSpec().ExpectedNodename = name
	spec.TypedSpec().Args = Args(cfg.Machine().Kubelet().ExtraArgs())
	spec.TypedSpec().Config = cfg.Machine().Kubelet().ExtraConfig()

	return spec
}

// Args writes extra arguments as they stand on a command line.
func Args(extra map[string][]string) []string {
	var args []string

	for key, values := range extra {
		for _, value := range values {
			args = append(args, "--"+key+"="+value)
		}
	}

	slices.Sort(args)

	return args
}

func kernelParams(cfg talosconfig.Provider) []resource.Resource {
	var all []resource.Resource

	for key, value := range cfg.Machine().Sysctls() {
		status := runtime.NewKernelParamStatus(runtime.NamespaceName, "proc.sys."+strings.ReplaceAll(key, "/", "."))
		status.TypedSpec().Current = value
		all = append(all, status)
	}

	return all
}

func manifests(cfg talosconfig.Provider) resource.Resource {
	c := cfg.Cluster()
	item := k8s.NewBootstrapManifestsConfig()
	spec := item.TypedSpec()
	spec.Server = c.Endpoint().String()
	spec.ClusterDomain = c.Network().DNSDomain()
	spec.PodCIDRs = c.Network().PodCIDRs()
	spec.ProxyEnabled, spec.ProxyImage = c.Proxy().Enabled(), c.Proxy().Image()
	spec.CoreDNSEnabled, spec.CoreDNSImage = c.CoreDNS().Enabled(), c.CoreDNS().Image()
	spec.CNIName = c.Network().CNI().Name()
	spec.FlannelEnabled = spec.CNIName == "flannel"

	return item
}
