export type { ClientConfiguration as GetConfigurationClientConfiguration } from "../shapes";
