package api

import (
	"context"
	"fmt"
	"log"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configdiff"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/constants"
	"github.com/siderolabs/talos/pkg/machinery/role"

	"talos-fleet/rehearsal/node/internal/authz"
)

const (
	applyNow    = machineapi.ApplyConfigurationRequest_NO_REBOOT
	applyReboot = machineapi.ApplyConfigurationRequest_REBOOT
	applyAuto   = machineapi.ApplyConfigurationRequest_AUTO
	applyStaged = machineapi.ApplyConfigurationRequest_STAGED
	applyTry    = machineapi.ApplyConfigurationRequest_TRY
)

// ApplyConfiguration checks a config as Talos does and takes it in the mode asked for.
func (s *Server) ApplyConfiguration(
	ctx context.Context, in *machineapi.ApplyConfigurationRequest,
) (*machineapi.ApplyConfigurationResponse, error) {
	if !s.applying.TryLock() {
		return nil, status.Error(codes.FailedPrecondition, "another apply configuration is already in progress")
	}
	defer s.applying.Unlock()

	maintenance := s.Node.Config() == nil
	if !maintenance && !authz.Roles(ctx).Includes(role.Admin) {
		return nil, authz.ErrNotAuthorized
	}

	if in.Mode != applyTry {
		s.Node.CancelRollback()
	}

	next, warnings, err := s.check(in.GetData(), maintenance)
	if err != nil {
		return nil, err
	}

	choice, err := s.choose(in.Mode, next, maintenance)
	if err != nil {
		return nil, err
	}

	if in.DryRun {
		return s.dryRun(choice, next)
	}

	if err = s.take(choice.mode, in, next); err != nil {
		return nil, err
	}

	details := choice.details
	if choice.mode == applyTry {
		details += fmt.Sprintf("\nThe config is applied in 'try' mode and will be automatically reverted back in %s", tryTimeout(in))
	}

	return answer(&machineapi.ApplyConfiguration{Mode: choice.mode, Warnings: warnings, ModeDetails: details + choice.reason}), nil
}

func answer(message *machineapi.ApplyConfiguration) *machineapi.ApplyConfigurationResponse {
	return &machineapi.ApplyConfigurationResponse{Messages: []*machineapi.ApplyConfiguration{message}}
}

func (s *Server) check(data []byte, maintenance bool) (config.Provider, []string, error) {
	next, err := configloader.NewFromBytes(data)
	if err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}

	if !maintenance && next.RawV1Alpha1() == nil {
		return nil, nil, status.Error(codes.InvalidArgument, "the applied machine configuration doesn't contain v1alpha1 config, "+
			"did you mean to patch the machine config instead?")
	}

	warnings, err := next.Validate(s.Node.Settings.Mode())
	if err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}

	if _, err = next.RuntimeValidate(context.Background(), s.Node.Resources.State, s.Node.Settings.Mode()); err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}

	return next, warnings, nil
}

type choice struct {
	mode            machineapi.ApplyConfigurationRequest_Mode
	details, reason string
}

// choose resolves the mode; in maintenance mode nothing ever reboots.
func (s *Server) choose(mode machineapi.ApplyConfigurationRequest_Mode, next config.Provider, maintenance bool) (choice, error) {
	if maintenance && mode == applyReboot {
		mode = applyNow
	}

	without, with := "Applied configuration without a reboot", "Applied configuration with a reboot"

	var immediate error
	if !maintenance {
		immediate = s.Node.CanApplyImmediate(next)
	}

	switch mode {
	case applyTry, applyNow:
		if immediate != nil {
			return choice{}, status.Error(codes.InvalidArgument, immediate.Error())
		}

		return choice{mode, without, ""}, nil
	case applyStaged:
		return choice{mode, "Staged configuration to be applied after the next reboot", ""}, nil
	case applyAuto:
		if immediate != nil {
			return choice{applyReboot, with, ": " + immediate.Error()}, nil
		}

		return choice{applyNow, without, ""}, nil
	case applyReboot:
		return choice{mode, with, ""}, nil
	default:
		return choice{}, fmt.Errorf("incorrect mode '%s' specified for the apply config call", mode)
	}
}

func (s *Server) dryRun(choice choice, next config.Provider) (*machineapi.ApplyConfigurationResponse, error) {
	diff, err := configdiff.DiffConfigs(s.Node.Config(), next)
	if err != nil {
		return nil, fmt.Errorf("failed to generate diff: %w", err)
	}

	if diff == "" {
		diff = "No changes."
	}

	return answer(&machineapi.ApplyConfiguration{
		Mode:        choice.mode,
		ModeDetails: fmt.Sprintf("Dry run summary:\n%s (skipped in dry-run).\nConfig diff:\n\n%s", choice.details, diff),
	}), nil
}

func (s *Server) take(mode machineapi.ApplyConfigurationRequest_Mode, in *machineapi.ApplyConfigurationRequest, next config.Provider) error {
	if mode == applyTry {
		s.Node.Try(next, tryTimeout(in))

		return nil
	}

	if err := s.Node.Persist(next); err != nil {
		return err
	}

	switch mode {
	case applyStaged:
		log.Print("staged config for the next start")
	case applyReboot:
		s.Node.Reboot()
	default:
		s.Node.Use(next)
	}

	return nil
}

func tryTimeout(in *machineapi.ApplyConfigurationRequest) time.Duration {
	if in.TryModeTimeout != nil {
		return in.TryModeTimeout.AsDuration()
	}

	return constants.ConfigTryTimeout
}
