/** Check and Diff between Pulumi's messages and the stand-ins' plain objects. */
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import type { CheckRequest, CheckResponse, DiffKind, DiffRequest, DiffResponse } from "./types";
import { fromStruct, toStruct } from "./values";

/** `hcloud:index/server:Server`: from the message, or the last type in the URN's type part. */
export const resourceType = (request: { getUrn(): string; getType(): string }): string =>
  request.getType() || (request.getUrn().split("::")[2]?.split("$").at(-1) ?? "");

export const checkRequest = (request: provider.CheckRequest, name: string): CheckRequest => ({
  urn: request.getUrn(),
  name,
  news: fromStruct(request.getNews()),
  olds: fromStruct(request.getOlds()),
  randomSeed: request.getRandomseed_asB64(),
});

export function checkResponse(checked: CheckResponse): provider.CheckResponse {
  const failures = checked.failures.map((failure) =>
    new provider.CheckFailure().setProperty(failure.property ?? "").setReason(failure.reason),
  );
  return new provider.CheckResponse().setInputs(toStruct(checked.inputs)).setFailuresList(failures);
}

export const diffRequest = (request: provider.DiffRequest, log: DiffRequest["log"]): DiffRequest => ({
  urn: request.getUrn(),
  id: request.getId(),
  olds: fromStruct(request.getOlds()),
  news: fromStruct(request.getNews()),
  oldInputs: fromStruct(request.getOldInputs()),
  ignoreChanges: request.getIgnorechangesList(),
  log,
});

const kinds: Record<DiffKind, provider.PropertyDiff.Kind> = provider.PropertyDiff.Kind;

export function diffResponse(diff: DiffResponse): provider.DiffResponse {
  const response = new provider.DiffResponse()
    .setChanges(provider.DiffResponse.DiffChanges[diff.changes])
    .setReplacesList([...diff.replaces])
    .setDiffsList([...diff.diffs])
    .setStablesList([...(diff.stables ?? [])])
    .setDeletebeforereplace(diff.deleteBeforeReplace)
    .setHasdetaileddiff(diff.hasDetailedDiff ?? true);
  for (const [path, { kind }] of Object.entries(diff.detailedDiff)) {
    response.getDetaileddiffMap().set(path, new provider.PropertyDiff().setKind(kinds[kind]));
  }
  return response;
}
