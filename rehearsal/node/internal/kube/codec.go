package kube

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/yaml"
)

// scheme knows the types that may arrive as protobuf or be merged strategically.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, appsv1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme,
	} {
		utilruntime.Must(add(s))
	}

	return s
}

const maxBody = 4 << 20

func readBody(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}

	return text, nil
}

// decode reads an object from JSON, YAML or protobuf.
func decode(r *http.Request, kind Kind) (*unstructured.Unstructured, error) {
	text, err := readBody(r)
	if err != nil {
		return nil, err
	}

	if strings.Contains(r.Header.Get("Content-Type"), "protobuf") {
		if text, err = protobufToJSON(text); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}

	return parse(text, kind)
}

func protobufToJSON(text []byte) ([]byte, error) {
	object, gvk, err := protobuf.NewSerializer(scheme, scheme).Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}

	object.GetObjectKind().SetGroupVersionKind(*gvk)

	return json.Marshal(object)
}

func parse(text []byte, kind Kind) (*unstructured.Unstructured, error) {
	body := map[string]any{}

	plain, err := yaml.YAMLToJSON(text)
	if err == nil {
		err = utiljson.Unmarshal(plain, &body)
	}

	if err != nil {
		return nil, apierrors.NewBadRequest("the object provided is not valid: " + err.Error())
	}

	object := &unstructured.Unstructured{Object: body}
	if got := object.GetKind(); got != "" && got != kind.Kind {
		return nil, apierrors.NewBadRequest("the object's kind " + got + " does not match the path's " + kind.Kind)
	}

	object.SetGroupVersionKind(schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind})

	return object, nil
}

func fromStored(value []byte) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	if utiljson.Unmarshal(value, &object.Object) != nil || object.Object == nil {
		object.Object = map[string]any{}
	}

	return object
}
