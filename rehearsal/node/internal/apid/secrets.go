package apid

import (
	"context"
	"crypto/tls"
	"log"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/role"

	"talos-fleet/rehearsal/node/internal/pki"
	"talos-fleet/rehearsal/node/internal/trustd"
)

func (a *Apid) authorities() [][]byte {
	secrets := a.Node.Config().Machine().Security()

	var all [][]byte
	if ca := secrets.IssuingCA(); ca != nil {
		all = append(all, ca.Crt)
	}

	for _, ca := range secrets.AcceptedCAs() {
		all = append(all, ca.Crt)
	}

	return all
}

func (a *Apid) names() pki.Names {
	texts := append([]string{"127.0.0.1", "::1", a.Node.Hostname()}, a.Node.Config().Machine().Security().CertSANs()...)

	return pki.NamesOf(a.Node.Settings.Addresses, texts...)
}

// clientTLS is how a control plane calls the API of other nodes.
func (a *Apid) clientTLS() (*tls.Config, error) {
	pair, err := pki.ClientPair(a.Node.Config().Machine().Security().IssuingCA(),
		pki.Client{Name: a.Node.Hostname(), Organization: string(role.Impersonator)})
	if err != nil {
		return nil, err
	}

	return &tls.Config{
		MinVersion: tls.VersionTLS13, RootCAs: pki.Pool(a.authorities()...), Certificates: []tls.Certificate{pair},
	}, nil
}

func (a *Apid) issue(ctx context.Context) error {
	var (
		certificate tls.Certificate
		err         error
	)

	if a.Node.ControlPlane() {
		certificate, err = pki.Server(a.Node.Config().Machine().Security().IssuingCA(), a.names())
	} else {
		certificate, err = trustd.Request(ctx, a.Node, a.names())
	}

	if err == nil {
		a.certificate.Store(&certificate)
	}

	return err
}

// obtain tries until there is a certificate; without one the node has no API.
func (a *Apid) obtain(ctx context.Context) bool {
	last := ""

	for ctx.Err() == nil {
		err := a.issue(ctx)
		if err == nil {
			return true
		}

		if text := err.Error(); text != last {
			last = text
			log.Printf("no certificate for the Talos API yet: %s", text)
		}

		select {
		case <-ctx.Done():
		case <-time.After(250 * time.Millisecond):
		}
	}

	return false
}

// keepCertificate makes a new one after changes of the config and long before the old one ends.
func (a *Apid) keepCertificate(ctx context.Context, changed <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-time.After(6 * time.Hour):
		}

		if a.obtain(ctx) {
			a.remotes.Flush()
		}
	}
}
