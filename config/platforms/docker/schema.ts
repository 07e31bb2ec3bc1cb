import { z } from "zod";

import { cidr, says, strict, text, wholeNumber } from "../../schema-parts";
import { engineAddressProblem } from "./engine-address";

/** `pulumi config set --path` writes whole numbers as numbers and others as text. */
const cpusMessage = says("must be a number of CPUs", "write 2 or 1.5");
/** The section `docker`. */
export const section = strict({
  host: text("the engine's address")
    .superRefine((value, context) => {
      const problem = engineAddressProblem(value);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .optional(),
  context: text("a Docker context's name").optional(),
  subnet: cidr("ipv4").optional(),
  talosPort: wholeNumber(1, 65535).optional(),
  kubernetesPort: wholeNumber(1, 65535).optional(),
  cpus: z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, cpusMessage)], cpusMessage)
    .transform(Number)
    .pipe(z.number().min(0.1, says("is too few CPUs", "write 2")))
    .optional(),
  memory: wholeNumber(1024, 1048576).optional(),
  image: text("an image reference")
    .regex(
      /^[^\s@]\S*$/,
      says("is not an image reference", "write it like ghcr.io/siderolabs/talos:v1.13.10"),
    )
    .optional(),
  hostAddress: z
    .ipv4(says("must be an IPv4 address", "write the one at which the ports are reached"))
    .optional(),
});
