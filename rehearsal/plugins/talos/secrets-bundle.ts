/** Machine secrets between talosctl's secrets file and the provider's MachineSecrets. */
import { parse, stringify } from "yaml";
import type { Props, Value } from "../framework/types";
import { record, text } from "../framework/values";
import type { Talosctl } from "./talosctl";

interface FilePair {
  readonly crt: string;
  readonly key: string;
}

/** A file that `talosctl gen secrets` writes; certificates and keys are PEM in base64, as in MachineSecrets. */
interface SecretsFile {
  readonly cluster: { readonly id: string; readonly secret: string };
  readonly secrets: {
    readonly bootstraptoken: string;
    readonly secretboxencryptionsecret?: string;
    readonly aescbcencryptionsecret?: string;
  };
  readonly trustdinfo: { readonly token: string };
  readonly certs: {
    readonly etcd: FilePair;
    readonly k8s: FilePair;
    readonly k8saggregator: FilePair;
    readonly k8sserviceaccount: { readonly key: string };
    readonly os: FilePair;
  };
}

const fromPair = ({ crt, key }: FilePair): Props => ({ cert: crt, key });
const given = (key: string, value: Value | undefined): Props =>
  value === undefined || value === "" ? {} : { [key]: value };

/** MachineSecrets of a secrets file's text. */
export function machineSecretsOf(fileText: string): Props {
  const { cluster, secrets, trustdinfo, certs } = parse(fileText) as SecretsFile;
  return {
    certs: {
      etcd: fromPair(certs.etcd),
      k8s: fromPair(certs.k8s),
      k8sAggregator: fromPair(certs.k8saggregator),
      k8sServiceaccount: { key: certs.k8sserviceaccount.key },
      os: fromPair(certs.os),
    },
    cluster: { id: cluster.id, secret: cluster.secret },
    secrets: {
      bootstrapToken: secrets.bootstraptoken,
      secretboxEncryptionSecret: secrets.secretboxencryptionsecret ?? "",
      ...given("aescbcEncryptionSecret", secrets.aescbcencryptionsecret),
    },
    trustdinfo: { token: trustdinfo.token },
  };
}

/** The text of the secrets file that holds these MachineSecrets. */
export function secretsFileOf(machineSecrets: Props): string {
  const certs = record(machineSecrets, "certs");
  const { cluster, secrets, trustdinfo } = machineSecrets;
  const pair = (name: string) => ({
    crt: text(record(certs, name), "cert") ?? "",
    key: text(record(certs, name), "key") ?? "",
  });
  const kubernetes = record({ secrets: secrets ?? null }, "secrets");
  return stringify(
    {
      cluster,
      secrets: {
        bootstraptoken: kubernetes["bootstrapToken"],
        ...given("secretboxencryptionsecret", kubernetes["secretboxEncryptionSecret"]),
        ...given("aescbcencryptionsecret", kubernetes["aescbcEncryptionSecret"]),
      },
      trustdinfo,
      certs: {
        etcd: pair("etcd"),
        k8s: pair("k8s"),
        k8saggregator: pair("k8sAggregator"),
        k8sserviceaccount: { key: pair("k8sServiceaccount").key },
        os: pair("os"),
      },
    },
    { lineWidth: 0 },
  );
}

/** New secrets for a version contract. */
export const generateSecrets = (talosctl: Talosctl, talosVersion: string): Promise<string> =>
  talosctl.run({}, () => ["gen", "secrets", "--talos-version", talosVersion, "--output-file", "-"]);

/** A new admin client certificate, valid one year, of the secrets' Talos CA. */
export async function generateClientConfiguration(talosctl: Talosctl, secretsFile: string): Promise<Props> {
  const talosconfig = await talosctl.run({ "secrets.yaml": secretsFile }, (path) => [
    ...["gen", "config", "admin", "https://127.0.0.1:6443", "--with-secrets", path("secrets.yaml")],
    ...["--output-types", "talosconfig", "--output", "-"],
  ]);
  const { contexts } = parse(talosconfig) as {
    contexts: { admin: { ca: string; crt: string; key: string } };
  };
  const { ca, crt, key } = contexts.admin;
  return { caCertificate: ca, clientCertificate: crt, clientKey: key };
}
