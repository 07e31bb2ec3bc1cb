package proxy

import (
	"fmt"
	"slices"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/proto"
)

// Every answer of the Talos API is a list of messages whose first field is the metadata, so a
// metadata field can be added to the bytes without knowing the type.
func appendHostname(target string, streaming bool, resp []byte) ([]byte, error) {
	payload, err := proto.Marshal(&common.Empty{Metadata: &common.Metadata{Hostname: target}})
	if err != nil {
		return nil, err
	}

	if streaming {
		return append(resp, payload...), nil
	}

	const header = 1<<3 | 2

	tag, n := protowire.ConsumeVarint(resp)
	if n < 0 || tag != header {
		return nil, fmt.Errorf("unexpected message format: %d", tag)
	}

	_, m := protowire.ConsumeVarint(resp[n:])
	if m < 0 {
		return nil, protowire.ParseError(m)
	}

	body := resp[n+m:]
	prefix := protowire.AppendVarint(protowire.AppendVarint(nil, header), uint64(len(body)+len(payload)))

	return slices.Concat(prefix, body, payload), nil
}

func errorMessage(target string, streaming bool, err error) ([]byte, error) {
	empty := &common.Empty{Metadata: &common.Metadata{
		Hostname: target, Error: err.Error(), Status: status.Convert(err).Proto(),
	}}

	if streaming {
		return proto.Marshal(empty)
	}

	return proto.Marshal(&common.EmptyResponse{Messages: []*common.Empty{empty}})
}
