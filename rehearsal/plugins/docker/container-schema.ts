import type { ResourceSchema, Schema } from "../framework/bridged";

const replaced = { forceNew: true } as const;
const filled = { forceNew: true, computed: "optional" } as const;

const label: Schema = {
  label: { type: "string", required: true, ...replaced },
  value: { type: "string", required: true, ...replaced },
};

const rate: Schema = {
  path: { type: "string", required: true },
  rate: { type: "string", required: true },
};

const mount: Schema = {
  bindOptions: { type: "object", fields: { propagation: { type: "string" } } },
  readOnly: { type: "bool" },
  source: { type: "string" },
  target: { type: "string", required: true },
  tmpfsOptions: { type: "object", fields: { mode: { type: "number" }, sizeBytes: { type: "number" } } },
  type: { type: "string", required: true },
  volumeOptions: {
    type: "object",
    fields: {
      driverName: { type: "string" },
      driverOptions: { type: "map" },
      labels: { type: "set", fields: label },
      noCopy: { type: "bool" },
      subpath: { type: "string" },
    },
  },
};

const attachment: Schema = {
  aliases: { type: "set" },
  driverOpts: { type: "set" },
  gwPriority: { type: "number" },
  ipv4Address: { type: "string" },
  ipv6Address: { type: "string" },
  linkLocalIps: { type: "set" },
  macAddress: { type: "string" },
  name: { type: "string", required: true },
};

const port: Schema = {
  external: { type: "number", computed: "optional" },
  internal: { type: "number", required: true },
  ip: { type: "string" },
  protocol: { type: "string", default: "tcp" },
};

const health: Schema = {
  interval: { type: "string" },
  retries: { type: "number" },
  startInterval: { type: "string" },
  startPeriod: { type: "string" },
  tests: { type: "list", required: true },
  timeout: { type: "string" },
};

const identity: Schema = {
  name: { type: "string", required: true, ...replaced },
  hostname: { type: "string", ...filled },
  domainname: { type: "string", ...replaced },
  image: { type: "string", required: true, ...replaced },
  platform: { type: "string", ...filled },
  command: { type: "list", ...filled },
  entrypoints: { type: "list", ...filled, terraformName: "entrypoint" },
  envs: { type: "set", ...filled, terraformName: "env" },
  labels: { type: "set", ...filled, fields: label },
  user: { type: "string", ...replaced },
  workingDir: { type: "string", ...replaced },
  tty: { type: "bool", ...replaced, default: false },
  stdinOpen: { type: "bool", ...replaced, default: false },
  init: { type: "bool", computed: "optional" },
  healthcheck: { type: "object", computed: "optional", fields: health },
  stopSignal: { type: "string", ...filled },
  stopTimeout: { type: "number", ...filled },
};

const run: Schema = {
  attach: { type: "bool", default: false },
  start: { type: "bool", default: true },
  logs: { type: "bool", default: false },
  mustRun: { type: "bool", default: true },
  rm: { type: "bool", default: false },
  wait: { type: "bool", default: false },
  waitTimeout: { type: "number", default: 60 },
  restart: { type: "string", default: "no" },
  maxRetryCount: { type: "number" },
  removeVolumes: { type: "bool", default: true },
  destroyGraceSeconds: { type: "number" },
  containerReadRefreshTimeoutMilliseconds: { type: "number", default: 15000 },
  logDriver: { type: "string", ...filled },
  logOpts: { type: "map", ...replaced },
};

const resources: Schema = {
  memory: { type: "number" },
  memoryReservation: { type: "number", default: 0 },
  memorySwap: { type: "number" },
  cpus: { type: "string", ...replaced },
  cpuShares: { type: "number" },
  cpuSet: { type: "string" },
  cpuPeriod: { type: "number" },
  cpuQuota: { type: "number" },
  shmSize: { type: "number", ...filled },
  deviceReadBps: { type: "set", fields: rate },
  deviceReadIops: { type: "set", fields: rate },
  deviceWriteBps: { type: "set", fields: rate },
  deviceWriteIops: { type: "set", fields: rate },
  ulimits: {
    type: "set",
    ...replaced,
    terraformName: "ulimit",
    fields: {
      hard: { type: "number", required: true },
      name: { type: "string", required: true },
      soft: { type: "number", required: true },
    },
  },
};

const privileges: Schema = {
  privileged: { type: "bool", ...replaced },
  readOnly: { type: "bool", ...replaced, default: false },
  securityOpts: { type: "set", ...filled },
  capabilities: { type: "object", ...replaced, fields: { adds: { type: "set" }, drops: { type: "set" } } },
  cgroupParent: { type: "string", ...replaced },
  cgroupnsMode: { type: "string", ...replaced },
  ipcMode: { type: "string", ...filled },
  pidMode: { type: "string", ...replaced },
  usernsMode: { type: "string", ...replaced },
  groupAdds: { type: "set", ...replaced, terraformName: "group_add" },
  runtime: { type: "string", ...filled },
  sysctls: { type: "map", ...replaced },
  storageOpts: { type: "map", ...replaced },
  gpus: { type: "string", ...replaced },
  devices: {
    type: "set",
    ...replaced,
    fields: {
      containerPath: { type: "string" },
      hostPath: { type: "string", required: true },
      permissions: { type: "string" },
    },
  },
  deviceRequests: {
    type: "list",
    ...replaced,
    fields: { driver: { type: "string" }, count: { type: "number" } },
  },
};

const storage: Schema = {
  mounts: { type: "set", ...replaced, fields: mount },
  tmpfs: { type: "map" },
  volumes: {
    type: "set",
    ...replaced,
    fields: {
      containerPath: { type: "string" },
      fromContainer: { type: "string" },
      hostPath: { type: "string" },
      readOnly: { type: "bool" },
      volumeName: { type: "string" },
    },
  },
  uploads: {
    type: "set",
    ...replaced,
    terraformName: "upload",
    fields: {
      content: { type: "string" },
      contentBase64: { type: "string" },
      executable: { type: "bool" },
      file: { type: "string", required: true },
      source: { type: "string" },
    },
  },
};

const networking: Schema = {
  networkMode: { type: "string", ...replaced, default: "bridge" },
  networksAdvanced: { type: "set", ...replaced, fields: attachment },
  ports: { type: "list", ...replaced, fields: port },
  publishAllPorts: { type: "bool", ...replaced },
  dns: { type: "set", ...replaced },
  dnsOpts: { type: "set", ...replaced },
  dnsSearches: { type: "set", ...replaced, terraformName: "dns_search" },
  hosts: {
    type: "set",
    ...replaced,
    terraformName: "host",
    fields: { host: { type: "string", required: true }, ip: { type: "string", required: true } },
  },
};

const outputs: Schema = {
  bridge: { type: "string", computed: "output" },
  containerLogs: { type: "string", computed: "output" },
  exitCode: { type: "number", computed: "output" },
  networkDatas: { type: "list", computed: "output" },
};

/** docker:index/container:Container of plugin 5.1.0. */
export const containerSchema: ResourceSchema = {
  kind: "sdk",
  autonamed: "name",
  deleteBeforeReplace: true,
  properties: { ...identity, ...run, ...resources, ...privileges, ...storage, ...networking, ...outputs },
};

export const labelSet = { type: "set", forceNew: true, fields: label } as const;
