package api

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/config/config"

	"talos-fleet/rehearsal/node/internal/pki"
)

// Kubeconfig sends an admin kubeconfig as a file in a compressed archive.
func (s *Server) Kubeconfig(_ *emptypb.Empty, out grpc.ServerStreamingServer[common.Data]) error {
	if err := s.controlPlaneOnly("kubeconfig"); err != nil {
		return err
	}

	text, err := AdminKubeconfig(s.Node.Config().Cluster())
	if err != nil {
		return err
	}

	var buffer bytes.Buffer

	compressed := gzip.NewWriter(&buffer)
	archive := tar.NewWriter(compressed)
	header := &tar.Header{Typeflag: tar.TypeReg, Name: "kubeconfig", Size: int64(len(text)), ModTime: time.Now(), Mode: 0o600}

	if err = errors.Join(archive.WriteHeader(header), write(archive, text), archive.Close(), compressed.Close()); err != nil {
		return err
	}

	return out.Send(&common.Data{Bytes: buffer.Bytes()})
}

func write(archive *tar.Writer, text []byte) error {
	_, err := archive.Write(text)

	return err
}

// AdminKubeconfig is the file that Talos makes: user and context admin@<cluster>, valid as the config says (a year).
func AdminKubeconfig(cluster config.ClusterConfig) ([]byte, error) {
	admin := cluster.AdminKubeconfig()

	pem, err := pki.ClientPEM(cluster.IssuingCA(), pki.Client{
		Name: admin.CommonName(), Organization: admin.CertOrganization(), Lifetime: admin.CertLifetime(),
	})
	if err != nil {
		return nil, fmt.Errorf("error generating Kubernetes client certificate: %w", err)
	}

	var authorities []byte
	for _, accepted := range cluster.AcceptedCAs() {
		authorities = append(authorities, accepted.Crt...)
	}

	authorities = append(authorities, cluster.IssuingCA().Crt...)
	encode := base64.StdEncoding.EncodeToString

	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: %[1]s
  cluster:
    server: %[2]s
    certificate-authority-data: %[3]s
users:
- name: admin@%[1]s
  user:
    client-certificate-data: %[4]s
    client-key-data: %[5]s
contexts:
- context:
    cluster: %[1]s
    namespace: default
    user: admin@%[1]s
  name: admin@%[1]s
current-context: admin@%[1]s
`, cluster.Name(), cluster.Endpoint(), encode(authorities), encode(pem.Crt), encode(pem.Key)), nil
}
