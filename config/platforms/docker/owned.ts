import type { OwnedParts } from "../../rules/owned";

/** What Talos in a container cannot have changed. */
export const dockerOwned: OwnedParts = {
  keys: [
    {
      paths: ["machine.features.hostDNS.enabled", "machine.features.hostDNS.forwardKubeDNSToHost"],
      rule: "Talos in a container refuses a config in which host DNS is changed",
      repair: "remove it",
    },
  ],
  needed: ["machine.features.hostDNS"],
  kinds: {},
  documents: [{ cluster: { apiServer: { certSANs: [] } } }],
};
