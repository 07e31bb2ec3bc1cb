package kube

import (
	"encoding/json"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"talos-fleet/rehearsal/node/internal/etcd"
)

// patch changes an object; server-side apply also makes it.
func (s *Server) patch(r *http.Request, t target) (*object, int, error) {
	text, err := readBody(r)
	if err != nil {
		return nil, 0, err
	}

	kind := types.PatchType(strings.SplitN(r.Header.Get("Content-Type"), ";", 2)[0])

	for attempt := 0; ; attempt++ {
		item, ok := s.store().Get(t.kind.key(t.namespace, t.name))
		if !ok {
			if kind != types.ApplyYAMLPatchType {
				return nil, 0, apierrors.NewNotFound(t.kind.resource(), t.name)
			}

			made, err := s.applyNew(text, t, dryRun(r))

			return made, http.StatusCreated, err
		}

		body, err := merged(item, text, kind, t)
		if err != nil {
			return nil, 0, err
		}

		if version := body.GetResourceVersion(); version != fromStored(item.Value).GetResourceVersion() && version != "" {
			return nil, 0, conflict(t)
		}

		stored, err := s.update(t, item, body, dryRun(r))
		if !apierrors.IsConflict(err) || attempt > 4 {
			return stored, http.StatusOK, err
		}
	}
}

func (s *Server) applyNew(text []byte, t target, dry bool) (*object, error) {
	body, err := parse(text, t.kind)
	if err != nil {
		return nil, err
	}

	body.SetName(t.name)

	if t.kind.Namespaced {
		body.SetNamespace(t.namespace)
	}

	return s.add(t.kind, body, dry)
}

func merged(item etcd.Item, patch []byte, kind types.PatchType, t target) (*object, error) {
	var (
		result []byte
		err    error
	)

	switch kind {
	case types.JSONPatchType:
		var operations jsonpatch.Patch
		if operations, err = jsonpatch.DecodePatch(patch); err == nil {
			result, err = operations.Apply(item.Value)
		}
	case types.MergePatchType:
		result, err = jsonpatch.MergePatch(item.Value, patch)
	case types.StrategicMergePatchType:
		result, err = strategic(item.Value, patch, t.kind)
	case types.ApplyYAMLPatchType:
		if patch, err = withoutVersion(patch); err == nil {
			result, err = strategic(item.Value, patch, t.kind)
		}
	default:
		return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch", t.kind.resource(), t.name,
			"the patch type "+string(kind)+" is not supported", 0, true)
	}

	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}

	return parse(result, t.kind)
}

// strategic merges lists by their keys where the type is known.
func strategic(original, patch []byte, kind Kind) ([]byte, error) {
	gvk := schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}

	typed, err := scheme.New(gvk)
	if err != nil {
		return jsonpatch.MergePatch(original, patch)
	}

	return strategicpatch.StrategicMergePatch(original, patch, typed)
}

func withoutVersion(patch []byte) ([]byte, error) {
	var body map[string]any
	if err := yaml.Unmarshal(patch, &body); err != nil {
		return nil, err
	}

	if meta, ok := body["metadata"].(map[string]any); ok {
		delete(meta, "resourceVersion")
		delete(meta, "managedFields")
	}

	return json.Marshal(body)
}
