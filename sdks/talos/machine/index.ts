import { registerModule } from "../modules";
import { Bootstrap } from "./bootstrap";
import { ConfigurationApply } from "./configuration-apply";
import { Secrets } from "./secrets";

export { Bootstrap, ConfigurationApply, Secrets };
export type { BootstrapArgs, BootstrapState } from "./bootstrap";
export type { ConfigurationApplyArgs, ConfigurationApplyState } from "./configuration-apply";
export type { SecretsArgs, SecretsState } from "./secrets";
export * from "./get-configuration";
export * from "./get-disks";

registerModule("machine/bootstrap", { Bootstrap });
registerModule("machine/configurationApply", { ConfigurationApply });
registerModule("machine/secrets", { Secrets });
