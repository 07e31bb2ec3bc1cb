import { join } from "node:path";

/** `.lab` of the cluster called lab, `.lab/<cluster>` of any other (components/access-files.ts). */
export const labFolder = (cluster: string): string => (cluster === "lab" ? ".lab" : join(".lab", cluster));
