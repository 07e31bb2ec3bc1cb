package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
)

const openAPIProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"

// apiDocument is /openapi/v2 of one API server, which a real one builds when it is first asked for.
type apiDocument struct {
	mu    sync.Mutex
	built bool
	size  int
	plain []byte
}

// await takes its time until an answer was waited for once: a client that gives up leaves the work to the next one.
func (d *apiDocument) await(ctx context.Context, delay time.Duration) bool {
	d.mu.Lock()
	built := d.built
	d.mu.Unlock()

	if built || delay <= 0 {
		return true
	}

	select {
	case <-ctx.Done():
		return false
	case <-time.After(delay):
	}

	d.mu.Lock()
	defer d.mu.Unlock()

	d.built = true

	return true
}

// text is the document of at least so many MB.
func (d *apiDocument) text(size int) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()

	if d.plain == nil || d.size != size {
		d.plain, d.size = document(size), size
	}

	return d.plain
}

// document describes each kind as an object of any shape, with the marks that clients look for.
func document(size int) []byte {
	definitions, paths := map[string]any{}, map[string]any{}

	for _, kind := range kinds {
		name := "io.k8s.api." + strings.Split(kind.Group+"core", ".")[0] + "." + kind.Version + "." + kind.Kind
		mark := map[string]string{"group": kind.Group, "kind": kind.Kind, "version": kind.Version}
		definitions[name] = map[string]any{
			"type": "object",
			"properties": map[string]any{
				"apiVersion": map[string]string{"type": "string"},
				"kind":       map[string]string{"type": "string"},
				"metadata":   map[string]string{"type": "object"},
			},
			"x-kubernetes-group-version-kind": []any{mark},
		}

		base := "/apis/" + kind.Group + "/" + kind.Version
		if kind.Group == "" {
			base = "/api/" + kind.Version
		}

		if kind.Namespaced {
			base += "/namespaces/{namespace}"
		}

		paths[base+"/"+kind.Resource+"/{name}"] = map[string]any{"patch": map[string]any{
			"responses":                       map[string]any{"200": map[string]string{"description": "OK"}},
			"parameters":                      []any{parameter("dryRun"), parameter("fieldManager"), parameter("fieldValidation")},
			"x-kubernetes-action":             "patch",
			"x-kubernetes-group-version-kind": mark,
		}}
	}

	// What fills a real document: some thousand properties, each with a description.
	const entry = 1 << 10

	filler := strings.Repeat("This field is immutable. More info in the documentation. ", entry/57)
	for i := range size << 20 / entry {
		definitions[fmt.Sprintf("io.k8s.api.filler.v1.Type%d", i)] = map[string]string{"type": "string", "description": filler}
	}

	text, _ := json.Marshal(map[string]any{
		"swagger": "2.0", "info": map[string]string{"title": "Kubernetes", "version": "simulated"},
		"paths": paths, "definitions": definitions,
	})

	return text
}

func parameter(name string) map[string]any {
	return map[string]any{"name": name, "in": "query", "type": "string"}
}

func asProtobuf(text []byte) ([]byte, error) {
	parsed, err := openapi.ParseDocument(text)
	if err != nil {
		return nil, err
	}

	return proto.Marshal(parsed)
}

func (s *Server) serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/openapi/v3") {
		// Without v3 documents clients use v2.
		http.NotFound(w, r)

		return
	}

	knobs := s.Node.Settings.Knobs()
	if !s.document.await(r.Context(), knobs.OpenAPIDelay.Duration) {
		return
	}

	text := s.document.text(knobs.OpenAPISizeMB)
	if !strings.Contains(r.Header.Get("Accept"), "protobuf") {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)

		return
	}

	text, err := asProtobuf(text)
	if err != nil {
		writeError(w, err)

		return
	}

	w.Header().Set("Content-Type", openAPIProtobuf)
	_, _ = w.Write(text)
}
