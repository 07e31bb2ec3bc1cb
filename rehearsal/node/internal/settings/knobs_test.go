package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestKnobs(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "knobs.json")
	s := Settings{Name: "a", KnobsFile: file}

	if got := s.Knobs(); got != defaultKnobs() {
		t.Errorf("without a file: %+v", got)
	}

	if err := os.WriteFile(file, []byte(`{"*": {"settle": "2s", "noRegistry": true}, "a": {"settle": "3s"}, "b": {"noDiscovery": true}}`), 0o600); err != nil {
		t.Fatal(err)
	}

	got := s.Knobs()
	if got.Settle.Duration != 3*time.Second || !got.NoRegistry || got.NoDiscovery || got.StaticPodRestarts != 3 {
		t.Errorf("a: %+v", got)
	}

	for text, part := range map[string]string{`{"a": {"setle": "2s"}}`: `unknown field "setle"`, `{"*": {"settle": "2 s"}}`: "*: "} {
		knobs := defaultKnobs()
		if err := turn(&knobs, []byte(text), "a"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
