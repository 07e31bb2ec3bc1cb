package kube

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"talos-fleet/rehearsal/node/internal/etcd"
)

type object = unstructured.Unstructured

// serveObjects answers on the leader: the store is here.
func (s *Server) serveObjects(w http.ResponseWriter, r *http.Request) {
	t, ok := parsePath(r.URL.Path)
	if !ok {
		writeError(w, apierrors.NewGenericServerResponse(http.StatusNotFound, r.Method, Kind{}.resource(), "", "", 0, true))

		return
	}

	var (
		result *object
		code   = http.StatusOK
		err    error
	)

	switch {
	case r.Method == http.MethodPost && t.subresource == "eviction":
		err = s.evict(t)
		result, code = success(t), http.StatusCreated
	case r.Method == http.MethodPost && t.name == "":
		result, err = s.create(r, t)
		code = http.StatusCreated
	case r.Method == http.MethodGet && t.name == "":
		s.serveList(w, r, t)

		return
	case r.Method == http.MethodGet:
		result, err = s.get(t)
	case r.Method == http.MethodPut:
		result, err = s.replace(r, t)
	case r.Method == http.MethodPatch:
		result, code, err = s.patch(r, t)
	case r.Method == http.MethodDelete && t.name == "":
		err = s.removeAll(r, t)
		result = success(t)
	case r.Method == http.MethodDelete:
		err = s.remove(t)
		result = success(t)
	default:
		err = apierrors.NewMethodNotSupported(t.kind.resource(), strings.ToLower(r.Method))
	}

	if err != nil {
		writeError(w, err)

		return
	}

	if table, wanted := tableOf(r, t.kind, []object{*result}, result.GetResourceVersion()); wanted && r.Method == http.MethodGet {
		writeJSON(w, code, table)

		return
	}

	writeJSON(w, code, result.Object)
}

func success(t target) *object {
	return &object{Object: map[string]any{
		"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": metav1.StatusSuccess,
		"details": map[string]any{"name": t.name, "kind": t.kind.Resource, "group": t.kind.Group},
	}}
}

func dryRun(r *http.Request) bool { return r.URL.Query().Get("dryRun") == "All" }

func (s *Server) get(t target) (*object, error) {
	if item, ok := s.store().Get(t.kind.key(t.namespace, t.name)); ok {
		return fromStored(item.Value), nil
	}

	return nil, apierrors.NewNotFound(t.kind.resource(), t.name)
}

func (s *Server) create(r *http.Request, t target) (*object, error) {
	body, err := decode(r, t.kind)
	if err != nil {
		return nil, err
	}

	if body.GetName() == "" && body.GetGenerateName() != "" {
		body.SetName(body.GetGenerateName() + suffix())
	}

	if body.GetName() == "" {
		return nil, apierrors.NewBadRequest("name or generateName is required")
	}

	if t.kind.Namespaced {
		body.SetNamespace(t.namespace)

		if _, ok := s.store().Get(kindNamed("Namespace").key("", t.namespace)); !ok {
			return nil, apierrors.NewNotFound(kindNamed("Namespace").resource(), t.namespace)
		}
	}

	return s.add(t.kind, body, dryRun(r))
}

// add stores a new object.
func (s *Server) add(kind Kind, body *object, dry bool) (*object, error) {
	key := kind.key(body.GetNamespace(), body.GetName())
	exists := apierrors.NewAlreadyExists(kind.resource(), body.GetName())

	body.SetUID(types.UID(uid()))
	body.SetCreationTimestamp(metav1.NewTime(time.Now().UTC().Truncate(time.Second)))
	defaults(kind, body)

	if _, ok := body.Object["spec"]; ok {
		body.SetGeneration(1)
	}

	if dry {
		if _, ok := s.store().Get(key); ok {
			return nil, exists
		}

		return body, nil
	}

	stored, err := s.write(key, etcd.Absent, body)
	if errors.Is(err, etcd.ErrConflict) {
		return nil, exists
	}

	return stored, err
}

func (s *Server) write(key string, expect etcd.Expect, body *object) (*object, error) {
	store := s.store()
	if store == nil {
		return nil, etcd.ErrNoLeader
	}

	item, err := store.Put(key, expect, func(revision int64) (json.RawMessage, error) {
		body.SetResourceVersion(strconv.FormatInt(revision, 10))

		return json.Marshal(body.Object)
	})
	if err != nil {
		return nil, err
	}

	s.kick()

	return fromStored(item.Value), nil
}

func (s *Server) replace(r *http.Request, t target) (*object, error) {
	body, err := decode(r, t.kind)
	if err != nil {
		return nil, err
	}

	item, ok := s.store().Get(t.kind.key(t.namespace, t.name))
	if !ok {
		return nil, apierrors.NewNotFound(t.kind.resource(), t.name)
	}

	if version := body.GetResourceVersion(); version != "" && version != strconv.FormatInt(item.Modified, 10) {
		return nil, conflict(t)
	}

	return s.update(t, item, body, dryRun(r))
}

func conflict(t target) error {
	return apierrors.NewConflict(t.kind.resource(), t.name,
		errors.New("the object has been modified; please apply your changes to the latest version and try again"))
}

// update stores a changed object; what the server owns in the metadata stays.
func (s *Server) update(t target, item etcd.Item, body *object, dry bool) (*object, error) {
	old := fromStored(item.Value)
	keepOwned(old, body, t)

	if sameApartFromVersion(old, body) {
		return old, nil
	}

	if dry {
		return body, nil
	}

	stored, err := s.write(item.Key, etcd.Expect(item.Modified), body)
	if errors.Is(err, etcd.ErrConflict) {
		return nil, conflict(t)
	}

	return stored, err
}

func keepOwned(old, body *object, t target) {
	body.SetName(t.name)
	body.SetNamespace(old.GetNamespace())
	body.SetUID(old.GetUID())
	body.SetCreationTimestamp(old.GetCreationTimestamp())
	body.SetGeneration(old.GetGeneration())

	if t.subresource == "status" {
		state := body.Object["status"]
		body.Object = old.DeepCopy().Object
		body.Object["status"] = state
	}

	if old.Object["spec"] != nil && fmt.Sprint(old.Object["spec"]) != fmt.Sprint(body.Object["spec"]) {
		body.SetGeneration(old.GetGeneration() + 1)
	}
}

func sameApartFromVersion(a, b *object) bool {
	b.SetResourceVersion(a.GetResourceVersion())

	left, _ := json.Marshal(a.Object)
	right, _ := json.Marshal(b.Object)

	return string(left) == string(right)
}

func uid() string {
	var b [16]byte

	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80

	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
