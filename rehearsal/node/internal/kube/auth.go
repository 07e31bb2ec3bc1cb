package kube

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type identity int

const (
	nobody identity = iota
	stranger
	node
	admin
)

// authenticate: a client certificate of the Kubernetes CA (admin with system:masters) or the bootstrap token (a node).
func (s *Server) authenticate(r *http.Request) identity {
	if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		if slices.Contains(r.TLS.VerifiedChains[0][0].Subject.Organization, "system:masters") {
			return admin
		}

		return stranger
	}

	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if cfg := s.Node.Config(); ok && cfg != nil {
		token := cfg.Cluster().Token()
		if subtle.ConstantTimeCompare([]byte(given), []byte(token.ID()+"."+token.Secret())) == 1 {
			return node
		}
	}

	return nobody
}

func forbidden(r *http.Request) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
		Message: fmt.Sprintf("forbidden: User cannot %s path %q", strings.ToLower(r.Method), r.URL.Path),
	}}
}
