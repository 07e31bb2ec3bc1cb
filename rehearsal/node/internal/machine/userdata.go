package machine

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

// userData is the config that the platform gives, kept in STATE from now on; nil without one, or when STATE has a config.
func (n *Node) userData(kept config.Provider) (config.Provider, error) {
	if kept != nil || n.Settings.UserData == "" {
		return nil, nil //nolint:nilnil
	}

	text, err := decodeUserData(n.Settings.UserData)
	if err != nil {
		return nil, fmt.Errorf("USERDATA: %w", err)
	}

	given, err := configloader.NewFromBytes(text)
	if err != nil {
		return nil, fmt.Errorf("USERDATA: %w", err)
	}

	if _, err = given.Validate(n.Settings.Mode()); err != nil {
		return nil, fmt.Errorf("USERDATA: %w", err)
	}

	return given, n.Persist(given)
}

func decodeUserData(encoded string) ([]byte, error) {
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
		return text, err
	}

	reader, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}

	return io.ReadAll(reader)
}
