import axios from "axios";

import type { Session } from "../../../rehearsal/session";

interface ServerList {
  readonly servers: readonly { readonly id: number; readonly name: string }[];
}

const api = ({ world }: Session) =>
  axios.create({
    baseURL: world.hetzner?.url ?? "",
    headers: { Authorization: `Bearer ${world.secrets["hcloud:token"] ?? ""}` },
  });

/** What somebody does in Hetzner's console with a server that hangs. */
export async function resetServer(session: Session, name: string): Promise<void> {
  const { data } = await api(session).get<ServerList>("/servers", { params: { name } });
  await api(session).post(`/servers/${data.servers[0]?.id ?? 0}/actions/reset`);
}
