package kube

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
)

const openAPIProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"

// document describes each kind as an object of any shape, with the marks that clients look for.
var document = sync.OnceValue(func() []byte {
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

	text, _ := json.Marshal(map[string]any{
		"swagger": "2.0", "info": map[string]string{"title": "Kubernetes", "version": "simulated"},
		"paths": paths, "definitions": definitions,
	})

	return text
})

func parameter(name string) map[string]any {
	return map[string]any{"name": name, "in": "query", "type": "string"}
}

var documentProtobuf = sync.OnceValues(func() ([]byte, error) {
	parsed, err := openapi.ParseDocument(document())
	if err != nil {
		return nil, err
	}

	return proto.Marshal(parsed)
})

func serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/openapi/v3"):
		// Without v3 documents clients use v2.
		http.NotFound(w, r)
	case strings.Contains(r.Header.Get("Accept"), "protobuf"):
		text, err := documentProtobuf()
		if err != nil {
			writeError(w, err)

			return
		}

		w.Header().Set("Content-Type", openAPIProtobuf)
		_, _ = w.Write(text)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document())
	}
}
