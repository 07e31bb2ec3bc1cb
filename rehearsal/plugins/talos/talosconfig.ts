/** A talosconfig, byte for byte as the provider's YAML library writes it. */
import { stringify } from "yaml";

export interface TalosconfigInputs {
  readonly clusterName: string;
  readonly caCertificate: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
}

export const renderTalosconfig = (inputs: TalosconfigInputs): string =>
  stringify(
    {
      context: inputs.clusterName,
      contexts: {
        [inputs.clusterName]: {
          endpoints: inputs.endpoints,
          ...(inputs.nodes.length > 0 ? { nodes: inputs.nodes } : {}),
          ca: inputs.caCertificate,
          crt: inputs.clientCertificate,
          key: inputs.clientKey,
        },
      },
    },
    { indent: 4, lineWidth: 0 },
  );
