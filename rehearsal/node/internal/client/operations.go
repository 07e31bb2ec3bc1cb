package client

import (
	"context"
	"fmt"
	"strings"

	"github.com/cosi-project/runtime/pkg/safe"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/block"
)

type operation func(ctx context.Context, c *client.Client, r Request) (any, error)

var operations = map[string]operation{
	"apply": apply, "bootstrap": bootstrap, "kubeconfig": kubeconfig, "disks": disks, "version": version, "health": health,
}

// mutualOnly are the operations that never try without a certificate.
var mutualOnly = map[string]bool{"health": true}

func apply(ctx context.Context, c *client.Client, r Request) (any, error) {
	// As in the provider, a mode that is not known is the enum's zero: reboot.
	mode := machineapi.ApplyConfigurationRequest_Mode(machineapi.ApplyConfigurationRequest_Mode_value[strings.ToUpper(r.Mode)])
	if r.Mode == "" {
		mode = machineapi.ApplyConfigurationRequest_AUTO
	}

	response, err := c.ApplyConfiguration(ctx, &machineapi.ApplyConfigurationRequest{
		Data: []byte(r.Config), Mode: mode, DryRun: r.DryRun,
	})
	if err != nil {
		return nil, err
	}

	message := response.GetMessages()[0]

	return map[string]any{
		"mode": strings.ToLower(message.GetMode().String()), "details": message.GetModeDetails(), "warnings": message.GetWarnings(),
	}, nil
}

func bootstrap(ctx context.Context, c *client.Client, _ Request) (any, error) {
	return map[string]any{}, c.Bootstrap(ctx, &machineapi.BootstrapRequest{})
}

func kubeconfig(ctx context.Context, c *client.Client, _ Request) (any, error) {
	text, err := c.Kubeconfig(ctx)
	if err != nil {
		return nil, err
	}

	return map[string]any{"kubeconfig": string(text)}, nil
}

func version(ctx context.Context, c *client.Client, _ Request) (any, error) {
	response, err := c.Version(ctx)
	if err != nil {
		return nil, err
	}

	message := response.GetMessages()[0]

	return map[string]any{"tag": message.GetVersion().GetTag(), "mode": message.GetPlatform().GetMode()}, nil
}

// disks gives the provider's fields; the caller filters.
func disks(ctx context.Context, c *client.Client, _ Request) (any, error) {
	list, err := safe.StateListAll[*block.Disk](ctx, c.COSI)
	if err != nil {
		return nil, err
	}

	found := []map[string]any{}

	for disk := range list.All() {
		spec := disk.TypedSpec()
		found = append(found, map[string]any{
			"devPath": spec.DevPath, "model": spec.Model, "serial": spec.Serial, "modalias": spec.Modalias, "uuid": spec.UUID,
			"wwid": spec.WWID, "busPath": spec.BusPath, "subSystem": spec.SubSystem, "transport": spec.Transport,
			"prettySize": spec.PrettySize, "size": spec.Size, "ioSize": spec.IOSize, "sectorSize": spec.SectorSize,
			"readonly": spec.Readonly, "cdrom": spec.CDROM, "rotational": spec.Rotational,
			"symlinks": spec.Symlinks, "secondaryDisks": spec.SecondaryDisks,
		})
	}

	return map[string]any{"disks": found}, nil
}

func unhealthy(format string, args ...any) error {
	return status.Error(codes.FailedPrecondition, fmt.Sprintf(format, args...))
}
