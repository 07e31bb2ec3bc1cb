// Package pki makes the certificates of a node with Talos's own crypto package.
package pki

import (
	"crypto/tls"
	stdx509 "crypto/x509"
	"net"
	"net/netip"
	"time"

	"github.com/siderolabs/crypto/x509"
)

const year = 365 * 24 * time.Hour

// Names are the host names and addresses a server certificate answers for.
type Names struct {
	DNS []string
	IPs []net.IP
}

// NamesOf sorts texts into host names and addresses, each once.
func NamesOf(addresses []netip.Addr, texts ...string) Names {
	names := Names{}
	seen := map[string]bool{"": true}

	for _, address := range addresses {
		texts = append(texts, address.String())
	}

	for _, text := range texts {
		if seen[text] {
			continue
		}

		seen[text] = true

		if ip := net.ParseIP(text); ip != nil {
			names.IPs = append(names.IPs, ip)
		} else {
			names.DNS = append(names.DNS, text)
		}
	}

	return names
}

func (n Names) options() []x509.Option {
	return []x509.Option{x509.DNSNames(n.DNS), x509.IPAddresses(n.IPs)}
}

func lifetime() []x509.Option {
	now := time.Now()

	return []x509.Option{x509.NotBefore(now.Add(-10 * time.Second)), x509.NotAfter(now.Add(year))}
}

// SelfSigned makes the server certificate of maintenance mode.
func SelfSigned(names Names) (tls.Certificate, error) {
	ca, err := x509.NewSelfSignedCertificateAuthority(append(lifetime(), x509.ECDSA(true))...)
	if err != nil {
		return tls.Certificate{}, err
	}

	return server(ca, names)
}

// Server makes a server certificate signed by a CA given as PEM.
func Server(issuer *x509.PEMEncodedCertificateAndKey, names Names) (tls.Certificate, error) {
	ca, err := x509.NewCertificateAuthorityFromCertificateAndKey(issuer)
	if err != nil {
		return tls.Certificate{}, err
	}

	return server(ca, names)
}

func server(ca *x509.CertificateAuthority, names Names) (tls.Certificate, error) {
	options := append(names.options(), lifetime()...)
	options = append(options, x509.KeyUsage(stdx509.KeyUsageDigitalSignature),
		x509.ExtKeyUsage([]stdx509.ExtKeyUsage{stdx509.ExtKeyUsageServerAuth}))

	return pair(ca, options)
}

// Client is who a client certificate is for.
type Client struct {
	Name         string
	Organization string
	Lifetime     time.Duration
}

// ClientPEM makes a client certificate signed by a CA given as PEM.
func ClientPEM(issuer *x509.PEMEncodedCertificateAndKey, who Client) (*x509.PEMEncodedCertificateAndKey, error) {
	ca, err := x509.NewCertificateAuthorityFromCertificateAndKey(issuer)
	if err != nil {
		return nil, err
	}

	life := who.Lifetime
	if life == 0 {
		life = year
	}

	keyPair, err := x509.NewKeyPair(ca,
		x509.CommonName(who.Name), x509.Organization(who.Organization),
		x509.NotBefore(time.Now().Add(-10*time.Second)), x509.NotAfter(time.Now().Add(life)),
		x509.KeyUsage(stdx509.KeyUsageDigitalSignature),
		x509.ExtKeyUsage([]stdx509.ExtKeyUsage{stdx509.ExtKeyUsageClientAuth}))
	if err != nil {
		return nil, err
	}

	return x509.NewCertificateAndKeyFromKeyPair(keyPair), nil
}

// ClientPair is ClientPEM ready for TLS.
func ClientPair(issuer *x509.PEMEncodedCertificateAndKey, who Client) (tls.Certificate, error) {
	pem, err := ClientPEM(issuer, who)
	if err != nil {
		return tls.Certificate{}, err
	}

	return tls.X509KeyPair(pem.Crt, pem.Key)
}

func pair(ca *x509.CertificateAuthority, options []x509.Option) (tls.Certificate, error) {
	keyPair, err := x509.NewKeyPair(ca, options...)
	if err != nil {
		return tls.Certificate{}, err
	}

	pem := x509.NewCertificateAndKeyFromKeyPair(keyPair)

	return tls.X509KeyPair(pem.Crt, pem.Key)
}

// Pool holds CA certificates given as PEM.
func Pool(pems ...[]byte) *stdx509.CertPool {
	pool := stdx509.NewCertPool()
	for _, pem := range pems {
		pool.AppendCertsFromPEM(pem)
	}

	return pool
}
