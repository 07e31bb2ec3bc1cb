package kube

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"talos-fleet/rehearsal/node/internal/etcd"
)

// selection is what the query of a list wants.
type selection struct {
	labels labels.Selector
	fields fields.Selector
}

func selectionOf(r *http.Request, t target) (selection, error) {
	query := r.URL.Query()

	byLabel, err := labels.Parse(query.Get("labelSelector"))
	if err != nil {
		return selection{}, apierrors.NewBadRequest(err.Error())
	}

	byField, err := fields.ParseSelector(query.Get("fieldSelector"))
	if err != nil {
		return selection{}, apierrors.NewBadRequest(err.Error())
	}

	if t.name != "" {
		byField = fields.AndSelectors(byField, fields.OneTermEqualSelector("metadata.name", t.name))
	}

	return selection{byLabel, byField}, nil
}

type fieldSet struct{ object *object }

func (f fieldSet) Has(string) bool { return true }

func (f fieldSet) Get(path string) string {
	value, _, _ := unstructured.NestedString(f.object.Object, strings.Split(path, ".")...)

	return value
}

func (s selection) matches(o *object) bool {
	return s.labels.Matches(labels.Set(o.GetLabels())) && s.fields.Matches(fieldSet{o})
}

func (s *Server) serveList(w http.ResponseWriter, r *http.Request, t target) {
	wanted, err := selectionOf(r, t)
	if err != nil {
		writeError(w, err)

		return
	}

	if watch := r.URL.Query().Get("watch"); watch == "true" || watch == "1" {
		s.serveWatch(w, r, t, wanted)

		return
	}

	found, revision := s.selected(t.kind, t.namespace, wanted)
	version := strconv.FormatInt(revision, 10)

	if table, ok := tableOf(r, t.kind, found, version); ok {
		writeJSON(w, http.StatusOK, table)

		return
	}

	items := make([]any, 0, len(found))
	for _, o := range found {
		items = append(items, o.Object)
	}

	writeJSON(w, http.StatusOK, map[string]any{
		"kind": t.kind.Kind + "List", "apiVersion": t.kind.apiVersion(),
		"metadata": map[string]any{"resourceVersion": version}, "items": items,
	})
}

func (s *Server) selected(kind Kind, namespace string, wanted selection) ([]object, int64) {
	store := s.store()
	if store == nil {
		return nil, 0
	}

	items, revision := store.List(kind.prefix(namespace))

	var found []object

	for _, item := range items {
		if o := fromStored(item.Value); wanted.matches(o) {
			found = append(found, *o)
		}
	}

	return found, revision
}

// all lists every object of a kind.
func (s *Server) all(kind Kind, namespace string) []object {
	found, _ := s.selected(kind, namespace, selection{labels.Everything(), fields.Everything()})

	return found
}

func (s *Server) removeAll(r *http.Request, t target) error {
	wanted, err := selectionOf(r, t)
	if err != nil {
		return err
	}

	found, _ := s.selected(t.kind, t.namespace, wanted)
	for _, o := range found {
		s.store().Delete(t.kind.key(o.GetNamespace(), o.GetName()))
	}

	s.kick()

	return nil
}

// serveWatch sends what there is (without a version) and then each change.
func (s *Server) serveWatch(w http.ResponseWriter, r *http.Request, t target, wanted selection) {
	query := r.URL.Query()
	after, err := strconv.ParseInt(query.Get("resourceVersion"), 10, 64)

	var present []object
	if err != nil || after == 0 {
		present, after = s.selected(t.kind, t.namespace, wanted)
	}

	backlog, changes, stop, ok := s.store().Watch(after)
	if !ok {
		writeError(w, apierrors.NewResourceExpired("too old resource version"))

		return
	}

	defer stop()

	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)

	encoder, control := json.NewEncoder(w), http.NewResponseController(w)
	_ = control.Flush()

	send := func(kind string, o *object) bool {
		return encoder.Encode(map[string]any{"type": kind, "object": o.Object}) == nil && control.Flush() == nil
	}

	for _, o := range present {
		if !send("ADDED", &o) {
			return
		}
	}

	seen := watcher{prefix: t.kind.prefix(t.namespace), wanted: wanted, send: send}
	seconds, _ := strconv.Atoi(query.Get("timeoutSeconds"))
	end := time.After(time.Duration(max(seconds, 0)) * time.Second)

	if seconds <= 0 {
		end = time.After(30 * time.Minute)
	}

	if slices.ContainsFunc(backlog, func(c etcd.Change) bool { return !seen.pass(c) }) {
		return
	}

	for {
		select {
		case <-r.Context().Done():
			return
		case <-end:
			return
		case change, open := <-changes:
			if !open || !seen.pass(change) {
				return
			}
		}
	}
}

type watcher struct {
	prefix string
	wanted selection
	send   func(kind string, o *object) bool
}

// pass sends a change that the watcher wants; false ends the watch.
func (w watcher) pass(change etcd.Change) bool {
	if !strings.HasPrefix(change.Key, w.prefix) {
		return true
	}

	kind, value := "MODIFIED", change.Value

	switch {
	case change.Deleted():
		kind, value = "DELETED", change.Previous
	case change.Created == change.Revision:
		kind = "ADDED"
	}

	o := fromStored(value)
	if !w.wanted.matches(o) {
		return true
	}

	if change.Deleted() {
		o.SetResourceVersion(strconv.FormatInt(change.Revision, 10))
	}

	return w.send(kind, o)
}
