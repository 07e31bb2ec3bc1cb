/** `npm run schema`: writes docs/config.schema.json anew. */
import { writeFileSync } from "node:fs";
import * as path from "node:path";
import { format } from "prettier";
import { stackFileSchema } from "../config/json-schema";

const file = path.join(__dirname, "config.schema.json");

void format(JSON.stringify(stackFileSchema()), { parser: "json", printWidth: 110 }).then((text) =>
  writeFileSync(file, text),
);
