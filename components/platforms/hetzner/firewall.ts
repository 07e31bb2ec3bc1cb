/** Who may reach the servers from outside. Pure. */

const rule = (port: string, description: string, sourceIps: readonly string[]) => ({
  direction: "in",
  protocol: "tcp",
  port,
  description,
  sourceIps: [...sourceIps],
});

/** Only the operators, only the two APIs; everything else is dropped, and outbound stays open. */
export const firewallRules = (adminCidrs: readonly string[]) => [
  rule("50000", "Talos API", adminCidrs),
  rule("6443", "Kubernetes API", adminCidrs),
];
