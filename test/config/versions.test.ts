import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { isWithin, minorOf } from "../../base/versions";
import { kubernetesOf, versionPairs } from "../../config/versions";
import type { VersionPair } from "../../config/versions";
import { provideTalosctl } from "../../rehearsal/tools";

/** Where there is no talosctl yet, it is built. */
const buildTimeMs = 600_000;
const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
const secrets = path.join(folder, "secrets.yaml");
let talosctl = "";

beforeAll(async () => {
  const tool = await provideTalosctl(path.join(__dirname, "../.."), (line) =>
    process.stderr.write(`${line}\n`),
  );
  talosctl = tool.path;
  run("gen", "secrets", "-o", secrets);
}, buildTimeMs);
afterAll(() => rmSync(folder, { recursive: true }));

function run(...words: string[]): string {
  return execFileSync(talosctl, words, { encoding: "utf8", stdio: "pipe" });
}

function render({ talos, kubernetes }: VersionPair, role: string): string {
  const file = path.join(folder, `${talos}-${kubernetes}-${role}.yaml`);
  const versions = ["--talos-version", `v${minorOf(talos)}`, "--kubernetes-version", kubernetes];
  const plain = ["--with-secrets", secrets, "--with-docs=false", "--with-examples=false"];
  run("gen", "config", "some", "https://127.0.0.1:6443", ...versions, ...plain, "-t", role, "-o", file);
  return file;
}

/** talosctl does not judge the Kubernetes version (kubernetesRange does), so the images are looked at too. */
test.each(versionPairs)(
  "$talos with $kubernetes renders with its images, valid for containers and clouds",
  (pair) => {
    for (const role of ["controlplane", "worker"]) {
      const file = render(pair, role);
      const images = imagesOf(readFileSync(file, "utf8"));

      expect(images).toEqual(
        role === "worker" ? [kubelet(pair)] : expect.arrayContaining([kubelet(pair), api(pair)]),
      );
      for (const mode of ["container", "cloud"]) {
        expect(run("validate", "--mode", mode, "--config", file)).toContain(`is valid for ${mode} mode`);
      }
    }
  },
);

const kubelet = ({ kubernetes }: VersionPair) => `ghcr.io/siderolabs/kubelet:v${kubernetes}`;
const api = ({ kubernetes }: VersionPair) => `registry.k8s.io/kube-apiserver:v${kubernetes}`;

/** All images but the installer. */
function imagesOf(text: string): string[] {
  return [...text.matchAll(/^\s+image: (\S+)$/gm)]
    .map(([, image = ""]) => image)
    .filter((image) => !image.includes("installer"));
}

test("every pair lies within what its Talos version runs", () => {
  const outside = versionPairs.filter(({ talos, kubernetes }) => {
    const range = kubernetesOf(talos);
    return range === undefined || !isWithin(kubernetes, range);
  });

  expect(outside).toEqual([]);
});
