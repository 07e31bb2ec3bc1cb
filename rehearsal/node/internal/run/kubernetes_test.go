package run_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

type kubeAPI struct {
	t      *testing.T
	base   string
	client *http.Client
}

// api reads the kubeconfig that the node gives and speaks with it.
func (l *lab) api(i int) kubeAPI {
	l.t.Helper()

	got, err := l.do(l.request("kubeconfig", i))
	if err != nil {
		l.t.Fatal(err)
	}

	var file struct {
		CurrentContext string `json:"current-context"`
		Clusters       []struct {
			Cluster struct {
				Server string `json:"server"`
				CA     string `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Certificate string `json:"client-certificate-data"`
				Key         string `json:"client-key-data"`
			} `json:"user"`
		} `json:"users"`
	}

	answer, _ := got.(map[string]any)
	content, _ := answer["kubeconfig"].(string)

	if err = yaml.Unmarshal([]byte(content), &file); err != nil || file.CurrentContext != "admin@lab" {
		l.t.Fatalf("kubeconfig: %v %q", err, file.CurrentContext)
	}

	pair, err := tls.X509KeyPair(decode(l.t, file.Users[0].User.Certificate), decode(l.t, file.Users[0].User.Key))
	if err != nil {
		l.t.Fatal(err)
	}

	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil || time.Until(leaf.NotAfter) < 364*24*time.Hour {
		l.t.Errorf("the certificate must be valid for a year: %v %v", leaf.NotAfter, err)
	}

	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(decode(l.t, file.Clusters[0].Cluster.CA))

	return kubeAPI{l.t, file.Clusters[0].Cluster.Server, &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
	}}}
}

func (k kubeAPI) call(method, path, kind string, body any) (int, map[string]any) {
	k.t.Helper()

	text, err := json.Marshal(body)
	if err != nil {
		k.t.Fatal(err)
	}

	request, err := http.NewRequest(method, k.base+path, bytes.NewReader(text)) //nolint:noctx
	if err != nil {
		k.t.Fatal(err)
	}

	request.Header.Set("Content-Type", kind)

	response, err := k.client.Do(request)
	if err != nil {
		k.t.Fatal(err)
	}

	defer response.Body.Close() //nolint:errcheck

	answer := map[string]any{}
	_ = json.NewDecoder(response.Body).Decode(&answer)

	return response.StatusCode, answer
}

const jsonType = "application/json"

func (l *lab) kubernetes() {
	api := l.api(2)
	maps := "/api/v1/namespaces/kube-system/configmaps"
	record := map[string]any{"metadata": map[string]any{"name": "record"}, "data": map[string]any{"a": "b"}}

	if code, _ := api.call(http.MethodPost, maps, jsonType, record); code != http.StatusCreated {
		l.t.Errorf("create: %d", code)
	}

	if code, answer := api.call(http.MethodPost, maps, jsonType, record); code != http.StatusConflict || answer["reason"] != "AlreadyExists" {
		l.t.Errorf("create again: %d %v", code, answer)
	}

	change := map[string]any{"data": map[string]any{"c": "d"}}
	for _, kind := range []string{"application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"} {
		code, answer := api.call(http.MethodPatch, maps+"/record", kind, change)
		if data, _ := answer["data"].(map[string]any); code != http.StatusOK || data["a"] != "b" || data["c"] != "d" {
			l.t.Errorf("%s: %d %v", kind, code, answer)
		}
	}

	if code, answer := api.call(http.MethodGet, maps+"/none", jsonType, nil); code != http.StatusNotFound || answer["kind"] != "Status" {
		l.t.Errorf("get: %d %v", code, answer)
	}

	code, answer := api.call(http.MethodGet, "/api/v1/nodes", jsonType, nil)
	if items, _ := answer["items"].([]any); code != http.StatusOK || len(items) != 2 {
		l.t.Errorf("nodes: %d %v", code, answer)
	}

	open := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec

	response, err := open.Get(api.base + "/version") //nolint:noctx
	if err != nil {
		l.t.Fatal(err)
	}

	defer response.Body.Close() //nolint:errcheck

	if response.StatusCode != http.StatusUnauthorized {
		l.t.Errorf("/version without credentials: %d", response.StatusCode)
	}
}

func (l *lab) kept() {
	api := l.api(2)
	path := "/api/v1/namespaces/kube-system/configmaps/record"

	if code, _ := api.call(http.MethodGet, path, jsonType, nil); code != http.StatusOK {
		l.t.Errorf("after a restart: %d", code)
	}

	if code, _ := api.call(http.MethodDelete, path, jsonType, nil); code != http.StatusOK {
		l.t.Errorf("delete: %d", code)
	}

	if code, _ := api.call(http.MethodGet, path, jsonType, nil); code != http.StatusNotFound {
		l.t.Errorf("deleted: %d", code)
	}
}
