package run_test

import (
	"context"
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
)

func (l *lab) talos(i int) (context.Context, *client.Client) {
	l.t.Helper()

	pair, err := tls.X509KeyPair(decode(l.t, l.access.ClientCertificate), decode(l.t, l.access.ClientKey))
	if err != nil {
		l.t.Fatal(err)
	}

	c, err := client.New(context.Background(), client.WithEndpoints(l.address(i)),
		client.WithTLSConfig(&tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}})) //nolint:gosec
	if err != nil {
		l.t.Fatal(err)
	}

	l.t.Cleanup(func() { _ = c.Close() })

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	l.t.Cleanup(cancel)

	return ctx, c
}

func (l *lab) members(i int) map[string]uint64 {
	ctx, c := l.talos(i)

	response, err := c.EtcdMemberList(ctx, &machine.EtcdMemberListRequest{})
	if err != nil {
		return nil
	}

	found := map[string]uint64{}

	for _, member := range response.Messages[0].Members {
		if !member.IsLearner {
			found[member.Hostname] = member.Id
		}
	}

	return found
}

var errWaiting = errors.New("not yet")

func (l *lab) waitMembers(i, count int) map[string]uint64 {
	l.t.Helper()

	var found map[string]uint64

	l.eventually("members", func() error {
		if found = l.members(i); len(found) != count {
			return errWaiting
		}

		return nil
	})

	return found
}

func TestThreeControlPlanes(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	text := l.config(talosmachine.TypeControlPlane)

	for _, i := range []int{2, 3, 4} {
		l.start(i)
		l.mustApply(i, text)
	}

	l.bootstrap(2)
	l.healthy([]int{2, 3, 4}, nil)

	// The founder goes: the others keep the store and choose a leader.
	l.stops[2]()
	l.waitMembers(3, 3)
	l.eventually("another leader", func() error {
		ctx, c := l.talos(3)

		status, err := c.EtcdStatus(ctx)
		if err == nil && status.Messages[0].MemberStatus.Leader == 0 {
			return errWaiting
		}

		return err
	})
	l.start(2)
	l.healthy([]int{3, 2, 4}, nil)

	// A control plane made again cannot join until its old member is removed.
	old := l.members(2)["node-4"]
	l.stops[4]()

	if err := os.RemoveAll(filepath.Join(l.dir, "4")); err != nil {
		t.Fatal(err)
	}

	l.start(4)
	l.mustApply(4, text)
	time.Sleep(1500 * time.Millisecond)

	if now := l.members(2)["node-4"]; now != old {
		t.Errorf("joined although the old member was there: %x %x", now, old)
	}

	ctx, c := l.talos(2)
	if err := c.EtcdRemoveMemberByID(ctx, &machine.EtcdRemoveMemberByIDRequest{MemberId: old}); err != nil {
		t.Fatal(err)
	}

	l.eventually("joined again", func() error {
		if now, ok := l.members(2)["node-4"]; !ok || now == old {
			return errWaiting
		}

		return nil
	})

	ctx, c = l.talos(4)
	if err := c.EtcdLeaveCluster(ctx, &machine.EtcdLeaveClusterRequest{}); err != nil {
		t.Fatal(err)
	}

	l.waitMembers(2, 2)

	// Two of two are needed: the store stops when one is gone.
	l.stops[3]()

	ctx, c = l.talos(2)
	if err := c.EtcdLeaveCluster(ctx, &machine.EtcdLeaveClusterRequest{}); err == nil {
		t.Error("left without a quorum")
	}
}
