package authz

import "github.com/siderolabs/talos/pkg/machinery/role"

var (
	admin    = role.MakeSet(role.Admin)
	operator = role.MakeSet(role.Admin, role.Operator)
	reader   = role.MakeSet(role.Admin, role.Operator, role.Reader)
	backup   = role.MakeSet(role.Admin, role.Operator, role.Reader, role.EtcdBackup)
)

// The table of Talos 1.13; methods that are not listed need the admin role.
var rules = map[string]role.Set{
	"/cluster.ClusterService/HealthCheck":                   reader,
	"/inspect.InspectService/ControllerRuntimeDependencies": reader,
	"/machine.ImageService/List":                            reader,
	"/machine.ImageService/Pull":                            operator,
	"/machine.ImageService/Verify":                          role.MakeSet(role.Admin, role.Operator, role.Reader, role.ImageVerifier),
	"/machine.MachineService/CPUInfo":                       reader,
	"/machine.MachineService/CPUFreqStats":                  reader,
	"/machine.MachineService/Containers":                    reader,
	"/machine.MachineService/DiskStats":                     reader,
	"/machine.MachineService/DiskUsage":                     reader,
	"/machine.MachineService/Dmesg":                         reader,
	"/machine.MachineService/EtcdAlarmList":                 backup,
	"/machine.MachineService/EtcdAlarmDisarm":               operator,
	"/machine.MachineService/EtcdDefragment":                operator,
	"/machine.MachineService/EtcdMemberList":                backup,
	"/machine.MachineService/EtcdSnapshot":                  role.MakeSet(role.Admin, role.Operator, role.EtcdBackup),
	"/machine.MachineService/EtcdStatus":                    backup,
	"/machine.MachineService/Events":                        reader,
	"/machine.MachineService/Hostname":                      reader,
	"/machine.MachineService/ImageList":                     reader,
	"/machine.MachineService/ImagePull":                     operator,
	"/machine.MachineService/List":                          reader,
	"/machine.MachineService/LoadAvg":                       reader,
	"/machine.MachineService/Logs":                          reader,
	"/machine.MachineService/LogsContainers":                reader,
	"/machine.MachineService/Memory":                        reader,
	"/machine.MachineService/MetaWrite":                     role.MakeSet(role.Admin, role.MetaWriter),
	"/machine.MachineService/MetaDelete":                    role.MakeSet(role.Admin, role.MetaWriter),
	"/machine.MachineService/Mounts":                        reader,
	"/machine.MachineService/NetworkDeviceStats":            reader,
	"/machine.MachineService/Netstat":                       reader,
	"/machine.MachineService/PacketCapture":                 operator,
	"/machine.MachineService/Processes":                     reader,
	"/machine.MachineService/Reboot":                        operator,
	"/machine.MachineService/Restart":                       operator,
	"/machine.MachineService/ServiceList":                   reader,
	"/machine.MachineService/ServiceRestart":                operator,
	"/machine.MachineService/ServiceStart":                  operator,
	"/machine.MachineService/ServiceStop":                   operator,
	"/machine.MachineService/Shutdown":                      operator,
	"/machine.MachineService/Stats":                         reader,
	"/machine.MachineService/SystemStat":                    reader,
	"/machine.MachineService/Version":                       reader,
	"/cosi.resource.State/Get":                              reader,
	"/cosi.resource.State/List":                             reader,
	"/cosi.resource.State/Watch":                            reader,
	"/storage.StorageService/Disks":                         reader,
	"/time.TimeService/Time":                                reader,
	"/time.TimeService/TimeCheck":                           reader,

	// For maintenance mode; the handlers refuse readers later.
	"/machine.MachineService/ApplyConfiguration": role.MakeSet(role.Admin, role.Reader),
}
