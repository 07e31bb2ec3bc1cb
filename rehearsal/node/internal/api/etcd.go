package api

import (
	"context"
	"errors"
	"fmt"
	"net"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"

	"talos-fleet/rehearsal/node/internal/etcd"
)

func (s *Server) runningEtcd(name string) (etcd.Status, error) {
	if err := s.controlPlaneOnly(name); err != nil {
		return etcd.Status{}, err
	}

	now := s.Etcd.Status()
	if !now.Running {
		return now, status.Error(codes.Unavailable, "connection error: desc = \"transport: error while dialing: dial tcp "+
			net.JoinHostPort(s.Node.NodeIP().String(), "2379")+": connect: connection refused\"")
	}

	return now, nil
}

// EtcdMemberList lists the members that this node knows.
func (s *Server) EtcdMemberList(context.Context, *machineapi.EtcdMemberListRequest) (*machineapi.EtcdMemberListResponse, error) {
	now, err := s.runningEtcd("member list")
	if err != nil {
		return nil, err
	}

	if now.Leader == 0 {
		return nil, status.Error(codes.Unavailable, etcd.ErrNoLeader.Error())
	}

	list := &machineapi.EtcdMembers{}

	for _, member := range now.Members {
		list.LegacyMembers = append(list.LegacyMembers, member.Name)
		list.Members = append(list.Members, &machineapi.EtcdMember{
			Id: member.ID, Hostname: member.Name, IsLearner: member.Learner,
			PeerUrls:   []string{"https://" + net.JoinHostPort(member.Address, "2380")},
			ClientUrls: []string{"https://" + net.JoinHostPort(member.Address, "2379")},
		})
	}

	return &machineapi.EtcdMemberListResponse{Messages: []*machineapi.EtcdMembers{list}}, nil
}

// EtcdStatus tells of the local member.
func (s *Server) EtcdStatus(context.Context, *emptypb.Empty) (*machineapi.EtcdStatusResponse, error) {
	now, err := s.runningEtcd("etcd status")
	if err != nil {
		return nil, err
	}

	learner := false

	for _, member := range now.Members {
		if member.ID == now.ID {
			learner = member.Learner
		}
	}

	index := uint64(max(now.Revision, 0))
	member := &machineapi.EtcdMemberStatus{
		MemberId: now.ID, ProtocolVersion: "3.6.12", StorageVersion: "3.6.0", DbSize: 20 << 20, DbSizeInUse: 4 << 20,
		Leader: now.Leader, RaftIndex: index, RaftTerm: now.Term, RaftAppliedIndex: index, IsLearner: learner,
	}

	if now.Leader == 0 {
		member.Errors = []string{etcd.ErrNoLeader.Error()}
	}

	return &machineapi.EtcdStatusResponse{Messages: []*machineapi.EtcdStatus{{MemberStatus: member}}}, nil
}

// EtcdAlarmList has none.
func (s *Server) EtcdAlarmList(context.Context, *emptypb.Empty) (*machineapi.EtcdAlarmListResponse, error) {
	if _, err := s.runningEtcd("etcd alarm list"); err != nil {
		return nil, err
	}

	return &machineapi.EtcdAlarmListResponse{Messages: []*machineapi.EtcdAlarm{{}}}, nil
}

// EtcdRemoveMemberByID removes a member that has no node any more.
func (s *Server) EtcdRemoveMemberByID(
	ctx context.Context, in *machineapi.EtcdRemoveMemberByIDRequest,
) (*machineapi.EtcdRemoveMemberByIDResponse, error) {
	if _, err := s.runningEtcd("etcd remove member"); err != nil {
		return nil, err
	}

	err := s.Etcd.Remove(ctx, in.MemberId)
	if errors.Is(err, etcd.ErrNotFound) {
		return nil, status.Error(codes.NotFound, err.Error())
	}

	if err != nil {
		return nil, fmt.Errorf("failed to remove member: %w", err)
	}

	return &machineapi.EtcdRemoveMemberByIDResponse{Messages: []*machineapi.EtcdRemoveMemberByID{{}}}, nil
}

// EtcdLeaveCluster removes this member and its data.
func (s *Server) EtcdLeaveCluster(ctx context.Context, _ *machineapi.EtcdLeaveClusterRequest) (*machineapi.EtcdLeaveClusterResponse, error) {
	if _, err := s.runningEtcd("etcd leave"); err != nil {
		return nil, err
	}

	if err := s.Etcd.Leave(ctx); err != nil {
		return nil, fmt.Errorf("failed to leave cluster: %w", err)
	}

	return &machineapi.EtcdLeaveClusterResponse{Messages: []*machineapi.EtcdLeaveCluster{{}}}, nil
}

// EtcdForfeitLeadership hands the lead to another member.
func (s *Server) EtcdForfeitLeadership(
	ctx context.Context, _ *machineapi.EtcdForfeitLeadershipRequest,
) (*machineapi.EtcdForfeitLeadershipResponse, error) {
	if _, err := s.runningEtcd("etcd forfeit leadership"); err != nil {
		return nil, err
	}

	leader, err := s.Etcd.Forfeit(ctx)
	if err != nil {
		return nil, fmt.Errorf("failed to forfeit leadership: %w", err)
	}

	return &machineapi.EtcdForfeitLeadershipResponse{Messages: []*machineapi.EtcdForfeitLeadership{{Member: leader}}}, nil
}
