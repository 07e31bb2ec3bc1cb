import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { type DockerEngine, findEngine } from "../../config/docker-engine";

/** The engine that the program would choose from here; the keys are `docker.host` and `docker.context`. */
export const engineFromHere = (keys: {
  readonly host?: string | undefined;
  readonly context?: string | undefined;
}): DockerEngine =>
  findEngine({
    ...(keys.host === undefined ? {} : { host: keys.host }),
    ...(keys.context === undefined ? {} : { context: keys.context }),
    env: process.env,
    home: homedir(),
    readText: (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
  });
