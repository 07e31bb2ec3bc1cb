package kube

import (
	"encoding/base64"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// defaults fills what the real API fills for the kinds that clients read back.
func defaults(kind Kind, body *object) {
	switch kind.Kind {
	case "Secret":
		secretDefaults(body)
	case "Namespace":
		setDefault(body, "Active", "status", "phase")
	case "Deployment", "StatefulSet":
		setDefault(body, int64(1), "spec", "replicas")
	case "Pod":
		setDefault(body, "Pending", "status", "phase")
	}
}

func setDefault(body *object, value any, path ...string) {
	if _, found, err := unstructured.NestedFieldNoCopy(body.Object, path...); !found && err == nil {
		_ = unstructured.SetNestedField(body.Object, value, path...)
	}
}

func secretDefaults(body *object) {
	setDefault(body, "Opaque", "type")

	plain, found, err := unstructured.NestedStringMap(body.Object, "stringData")
	if err != nil || !found {
		return
	}

	delete(body.Object, "stringData")

	for key, value := range plain {
		_ = unstructured.SetNestedField(body.Object, base64.StdEncoding.EncodeToString([]byte(value)), "data", key)
	}
}
