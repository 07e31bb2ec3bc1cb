/** The provider's check of a cluster endpoint, with its messages. */
const withPort = (host: string): string => (/:\d+$/.test(host) ? host : `${host}:6443`);

/** What is wrong with it; undefined for `https://host:port`. */
export function clusterEndpointFault(endpoint: string): string | undefined {
  const [, scheme, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(endpoint) ?? [];
  const [authority = "", ...path] = rest.split("/");
  const tail = path.length > 0 ? `/${path.join("/")}` : "";
  const proposal = `try: ${JSON.stringify(`https://${withPort(authority)}${tail}`)}`;
  if (scheme === undefined) {
    const what = /:\d+$/.test(authority) ? "no scheme" : "no scheme and port";
    return `${what} specified for the cluster endpoint URL\n${proposal}`;
  }
  if (scheme.toLowerCase() !== "https")
    return `the control plane endpoint URL should have scheme https://\n${proposal}`;
  return authority === "" ? "error validating the cluster endpoint URL: no host" : undefined;
}
