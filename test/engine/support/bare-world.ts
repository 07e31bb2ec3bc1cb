import { startPluginProcess } from "../../../rehearsal/session/plugin-process";
import type { StartWorld } from "../../../rehearsal/session/world";

/** Plugins and nothing behind them: no engine, account, factory or node is even started. */
export const bareWorld: StartWorld = async ({ root, stack, tools }) => ({
  overrides: {},
  secrets: {},
  servePlugins: async ({ cwd, env, except }) =>
    startPluginProcess({
      root,
      cwd,
      env,
      simnode: tools.simnode.path,
      names: [stack === "lab" ? "docker" : "hcloud", "talos", "command", "kubernetes"].filter(
        (name) => !except.includes(name),
      ),
    }),
  leftovers: () => [],
  stop: async () => undefined,
});
