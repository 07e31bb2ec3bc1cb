import { registerModule } from "../modules";
import { Schematic } from "./schematic";

export { Schematic };
export type { SchematicArgs, SchematicState } from "./schematic";
export * from "./get-extensions-versions";
export * from "./get-overlays-versions";
export * from "./get-urls";
export * from "./get-versions";

registerModule("imageFactory/schematic", { Schematic });
