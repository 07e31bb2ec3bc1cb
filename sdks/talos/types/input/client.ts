import type { Args } from "../args";
import type * as shapes from "../shapes";

export type { ClientConfiguration as GetConfigurationClientConfiguration } from "../shapes";
export type GetConfigurationClientConfigurationArgs = Args<shapes.ClientConfiguration>;
