package machine

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configdiff"
	"github.com/siderolabs/talos/pkg/machinery/config/container"
	"github.com/siderolabs/talos/pkg/machinery/config/types/v1alpha1"
)

// CanApplyImmediate tells whether Talos 1.13 takes the change without a reboot; the error holds the diff of the rest.
func (n *Node) CanApplyImmediate(next config.Provider) error {
	current := n.Config()
	if current == nil {
		return errors.New("no current config")
	}

	before, after := current.RawV1Alpha1(), next.RawV1Alpha1()
	if before == nil {
		return errors.New("current config is not v1alpha1")
	}

	if after == nil {
		return errors.New("new config is not v1alpha1")
	}

	after = after.DeepCopy()
	takeImmediate(after, before)

	if reflect.DeepEqual(before, after) {
		return nil
	}

	diff, err := configdiff.DiffConfigs(container.NewV1Alpha1(before), container.NewV1Alpha1(after))
	if err != nil {
		return fmt.Errorf("error calculating diff: %w", err)
	}

	return fmt.Errorf("this config change can't be applied in immediate mode\ndiff:\n%s", diff)
}

// takeImmediate makes the fields equal that may change at once; what still differs needs a reboot.
func takeImmediate(to, from *v1alpha1.Config) {
	to.ConfigDebug = from.ConfigDebug
	to.ClusterConfig = from.ClusterConfig

	if to.MachineConfig == nil || from.MachineConfig == nil {
		return
	}

	t, f := to.MachineConfig, from.MachineConfig
	t.MachineCA, t.MachineAcceptedCAs = f.MachineCA, f.MachineAcceptedCAs
	t.MachineTime = f.MachineTime //nolint:staticcheck
	t.MachineCertSANs = f.MachineCertSANs
	t.MachineInstall = f.MachineInstall
	t.MachineNetwork = f.MachineNetwork //nolint:staticcheck
	t.MachineSysfs, t.MachineSysctls = f.MachineSysfs, f.MachineSysctls
	t.MachineLogging = f.MachineLogging
	t.MachineControlPlane = f.MachineControlPlane
	t.MachineKubelet, t.MachineKernel = f.MachineKubelet, f.MachineKernel
	t.MachineRegistries = f.MachineRegistries //nolint:staticcheck
	t.MachinePods = f.MachinePods
	t.MachineSeccompProfiles = f.MachineSeccompProfiles
	t.MachineNodeAnnotations = f.MachineNodeAnnotations
	t.MachineNodeLabels, t.MachineNodeTaints = f.MachineNodeLabels, f.MachineNodeTaints

	if t.MachineFeatures == nil || f.MachineFeatures == nil {
		return
	}

	a, b := t.MachineFeatures, f.MachineFeatures
	a.KubernetesTalosAPIAccessConfig = b.KubernetesTalosAPIAccessConfig
	a.KubePrismSupport, a.HostDNSSupport = b.KubePrismSupport, b.HostDNSSupport
	a.ImageCacheSupport = b.ImageCacheSupport
	a.FeatureNodeAddressSortAlgorithm = b.FeatureNodeAddressSortAlgorithm
}
