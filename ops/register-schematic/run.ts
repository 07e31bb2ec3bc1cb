/** Makes a schematic known to the Image Factory, and believes no id but the one computed here. */
import {
  type CreatedSchematic,
  FactoryClient,
  FactoryError,
  type FactoryClientOptions,
} from "../clients/factory";
import { answered, difference, type Told } from "./shown";

export interface Registration extends Omit<FactoryClientOptions, "shown"> {
  /** SHA-256 of `text`. */
  readonly id: string;
  /** Canonical schematic, posted byte for byte. */
  readonly text: string;
  /** Whether the stack file keeps the schematic secret; default false. */
  readonly secret?: boolean | undefined;
}

/** @throws FactoryError, or an error with a text diff when the factory gives another id. */
export async function registerSchematic({
  id,
  text,
  secret = false,
  ...options
}: Registration): Promise<string> {
  const told = { text, secret };
  const factory = new FactoryClient({ ...options, shown: (body) => answered(told, body) });
  const answer = await factory.createSchematic(text).catch((error: unknown) => {
    throw error instanceof FactoryError && error.status === undefined ? unreachable(error) : error;
  });
  if (answer.id === id) return `schematic ${id} registered at ${options.factoryUrl}`;
  throw new Error(
    otherId({ id, told, answer, theirs: await theirText(factory, answer), url: options.factoryUrl }),
  );
}

const unreachable = ({ message }: FactoryError): Error =>
  new Error(
    `factoryUrl: ${message}: the factory has to be told of the schematic once; nothing has been created. ` +
      "Behind a proxy set HTTPS_PROXY; for a factory of your own set factoryUrl",
  );

/** Factories before v1.3.0 do not send the text with the id. */
const theirText = (factory: FactoryClient, answer: CreatedSchematic): Promise<string | undefined> =>
  answer.text === undefined
    ? factory.schematic(answer.id).catch(() => undefined)
    : Promise.resolve(answer.text);

interface OtherId {
  readonly id: string;
  readonly told: Told;
  readonly answer: CreatedSchematic;
  readonly theirs: string | undefined;
  readonly url: string;
}

const otherId = ({ id, told, answer, theirs, url }: OtherId): string =>
  [
    `schematic: ${answer.id}: the factory at ${url} (${answer.server ?? "version unknown"}) gives another id than the` +
      ` ${id} computed here; nothing has been created. Write the lines that differ so that every factory reads them alike,` +
      ` or use the factory whose version wrote the id`,
    ...difference(told, theirs),
  ].join("\n");
