import { z } from "zod";

import { cidr, flag, says, strict, text } from "../../schema-parts";

const location = text("a Hetzner location such as fsn1");
const serverType = text("a Hetzner server type such as cpx22").regex(
  /^[a-z]+\d+$/,
  says("is not the name of a server type", "write a name of Hetzner's list, such as cpx22"),
);

/** What each group of nodes may say besides. */
export const nodeFields = { serverType: serverType.optional(), location: location.optional() };

const network = strict({
  cidr: cidr("ipv4").optional(),
  nodes: cidr("ipv4").optional(),
  pods: cidr("ipv4").optional(),
  services: cidr("ipv4").optional(),
});

const imageIdMessage = says("is not the id of a snapshot", "write the number Hetzner shows");
/** The section `hetzner`. */
export const section = strict({
  location: location.optional(),
  network: network.optional(),
  adminCidrs: z
    .array(cidr("any"), says("must be a list of CIDRs", "put each address range after a `- `"))
    .optional(),
  worldOpen: flag.optional(),
  apiLoadBalancer: z
    .enum(
      ["private", "public", "none"],
      says("is not a kind of load balancer", "write private, public or none"),
    )
    .optional(),
  loadBalancerType: z
    .enum(["lb11", "lb21", "lb31"], says("is not a load balancer type", "write lb11, lb21 or lb31"))
    .optional(),
  imageId: z
    .union([z.int().positive(imageIdMessage), z.string().regex(/^[1-9]\d*$/, imageIdMessage)], imageIdMessage)
    .transform(String)
    .optional(),
  builder: strict({ serverType: serverType.optional(), location: location.optional() }).optional(),
});
