import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { type DockerEngine, type EngineSources, findEngine } from "../../../config/docker-engine";

/** The engine that the program would choose from here; the keys are `docker.host` and `docker.context`. */
export const engineFromHere = (keys: Pick<EngineSources, "host" | "context">): DockerEngine =>
  findEngine({
    host: keys.host,
    context: keys.context,
    env: process.env,
    home: homedir(),
    readText: (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
  });
