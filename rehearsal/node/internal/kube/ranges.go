package kube

import (
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// freePodRange finds a /24 of the cluster's pod range that no node has.
func (s *Server) freePodRange() string {
	base := netip.MustParsePrefix("10.244.0.0/16")

	if cfg := s.Node.Config(); cfg != nil {
		for _, text := range cfg.Cluster().Network().PodCIDRs() {
			if prefix, err := netip.ParsePrefix(text); err == nil && prefix.Addr().Is4() {
				base = prefix

				break
			}
		}
	}

	var taken []string

	for _, o := range s.all(kindNamed("Node"), "") {
		text, _, _ := unstructured.NestedString(o.Object, "spec", "podCIDR")
		taken = append(taken, text)
	}

	bytes := base.Masked().Addr().As4()

	for {
		text := netip.PrefixFrom(netip.AddrFrom4(bytes), 24).String()
		if !slices.Contains(taken, text) {
			return text
		}

		if bytes[2]++; bytes[2] == 0 {
			bytes[1]++
		}
	}
}

func podAddress(podRange string, index int) string {
	base, _, _ := strings.Cut(podRange, "/")

	address, err := netip.ParseAddr(base)
	if err != nil || !address.Is4() {
		return ""
	}

	bytes := address.As4()
	bytes[3] = byte(2 + index%250)

	return netip.AddrFrom4(bytes).String()
}
