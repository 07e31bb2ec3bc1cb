// Package authz decides who may call which method, by the roles of the client certificate, as apid and machined do.
package authz

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/constants"
	"github.com/siderolabs/talos/pkg/machinery/role"
)

// ErrNotAuthorized is the one answer for a missing right.
var ErrNotAuthorized = status.Error(codes.PermissionDenied, "not authorized")

type key struct{}

// Roles of the caller.
func Roles(ctx context.Context) role.Set {
	set, ok := ctx.Value(key{}).(role.Set)
	if !ok {
		return role.Zero
	}

	return set
}

// SetMetadata passes roles on to the next server.
func SetMetadata(md metadata.MD, roles role.Set) {
	md.Set(constants.APIAuthzRoleMetadataKey, roles.Strings()...)
}

// Extract finds the caller's roles.
type Extract func(context.Context) role.Set

// FixedReader gives everybody the reader role: maintenance mode.
func FixedReader(context.Context) role.Set { return role.MakeSet(role.Reader) }

// FromMetadata trusts the roles in the metadata: the inner server.
func FromMetadata(ctx context.Context) role.Set {
	md, _ := metadata.FromIncomingContext(ctx)
	roles, _ := role.Parse(md.Get(constants.APIAuthzRoleMetadataKey))

	return roles
}

// FromCertificate takes the roles from the client certificate; only an impersonator may pass on others' roles.
func FromCertificate(ctx context.Context) role.Set {
	remote, ok := peer.FromContext(ctx)
	if !ok {
		return role.Zero
	}

	info, ok := remote.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.PeerCertificates) == 0 {
		return role.Zero
	}

	roles, _ := role.Parse(info.State.PeerCertificates[0].Subject.Organization)

	md, _ := metadata.FromIncomingContext(ctx)
	if roles.Includes(role.Impersonator) && len(md.Get(constants.APIAuthzRoleMetadataKey)) > 0 {
		return FromMetadata(ctx)
	}

	return roles
}

func authorize(ctx context.Context, method string) error {
	allowed, ok := rules[method]
	if !ok {
		allowed = admin
	}

	if allowed.IncludesAny(Roles(ctx)) {
		return nil
	}

	return ErrNotAuthorized
}

type stream struct {
	grpc.ServerStream
	ctx context.Context
}

func (s stream) Context() context.Context { return s.ctx }

// Inject puts the caller's roles into the context; with check, calls without the right are refused.
func Inject(extract Extract, check bool) []grpc.ServerOption {
	guard := func(ctx context.Context, method string) (context.Context, error) {
		ctx = context.WithValue(ctx, key{}, extract(ctx))
		if check {
			return ctx, authorize(ctx, method)
		}

		return ctx, nil
	}

	return []grpc.ServerOption{
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			ctx, err := guard(ctx, info.FullMethod)
			if err != nil {
				return nil, err
			}

			return next(ctx, req)
		}),
		grpc.ChainStreamInterceptor(func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			ctx, err := guard(ss.Context(), info.FullMethod)
			if err != nil {
				return err
			}

			return next(srv, stream{ServerStream: ss, ctx: ctx})
		}),
	}
}
