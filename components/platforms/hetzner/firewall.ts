/** Who may reach the servers from outside. Pure. */
import { ports } from "../../../agreed/ports";

const rule = (port: string, description: string, sourceIps: readonly string[]) => ({
  direction: "in",
  protocol: "tcp",
  port,
  description,
  sourceIps: [...sourceIps],
});

/** Only the operators, only the two APIs; everything else is dropped, and outbound stays open. */
export const firewallRules = (adminCidrs: readonly string[]) => [
  rule(String(ports.talos), "Talos API", adminCidrs),
  rule(String(ports.kubernetes), "Kubernetes API", adminCidrs),
];
