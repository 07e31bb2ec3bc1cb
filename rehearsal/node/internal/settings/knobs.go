package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"
)

// Knobs are what a test turns to make a node as slow, or as broken, as a real one can be.
type Knobs struct {
	// BootstrapAfter is how long a node with a new config refuses to be bootstrapped: 8s on a real machine.
	BootstrapAfter Duration `json:"bootstrapAfter"`
	// Settle is how long a node that was started again is not ready and stays cordoned: 30s on a real machine.
	Settle Duration `json:"settle"`
	// StaticPodRestarts is how often controller manager and scheduler end after the founding, one every RestartEvery.
	StaticPodRestarts int      `json:"staticPodRestarts"`
	RestartEvery      Duration `json:"restartEvery"`
	// KubeletError keeps the kubelet from starting; it is the last line of its log.
	KubeletError string `json:"kubeletError"`
	// NoDiscovery cuts the node off from the discovery service, NoRegistry from every image registry.
	NoDiscovery bool `json:"noDiscovery"`
	NoRegistry  bool `json:"noRegistry"`
	// OpenAPIDelay is how long /openapi/v2 takes until it was answered once, OpenAPISizeMB how large it is.
	OpenAPIDelay  Duration `json:"openapiDelay"`
	OpenAPISizeMB int      `json:"openapiSizeMB"`
}

// Duration is written as Go writes it: 1.5s, 2m.
type Duration struct{ time.Duration }

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	var err error
	d.Duration, err = time.ParseDuration(string(text))

	return err
}

func defaultKnobs() Knobs {
	return Knobs{
		BootstrapAfter: Duration{500 * time.Millisecond}, Settle: Duration{500 * time.Millisecond},
		StaticPodRestarts: 3, RestartEvery: Duration{150 * time.Millisecond},
	}
}

// Knobs reads the file anew, so that a test may turn them while nodes run: node name, or * for all, to knobs.
// A file that cannot be read ends the process: a knob that is turned and does nothing would make a test of nothing.
func (s Settings) Knobs() Knobs {
	knobs := defaultKnobs()
	if s.KnobsFile == "" {
		return knobs
	}

	text, err := os.ReadFile(s.KnobsFile)
	if os.IsNotExist(err) {
		return knobs
	}

	if err == nil {
		err = turn(&knobs, text, s.Name)
	}

	if err != nil {
		log.Fatalf("--knobs: %s: %s", s.KnobsFile, err)
	}

	return knobs
}

func turn(knobs *Knobs, text []byte, name string) error {
	byNode := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &byNode); err != nil {
		return err
	}

	for _, key := range []string{"*", name} {
		raw, ok := byNode[key]
		if !ok {
			continue
		}

		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()

		if err := decoder.Decode(knobs); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}

	return nil
}
