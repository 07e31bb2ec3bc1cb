/** Asks each of them at once; by name, what was said of those that had something to say. */
export async function pairs<Named extends { readonly name: string }>(
  all: readonly Named[],
  say: (one: Named) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const said = await Promise.all(all.map(async (one) => [one.name, await say(one)] as const));
  return Object.fromEntries(said.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}
