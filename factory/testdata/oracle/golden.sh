#!/bin/sh
# sh golden.sh FOLDER < golden.jsonl > new.jsonl: asks oracle-d1 to oracle-d5 in FOLDER again for every `in`.
exec node -e "$(cat <<'SCRIPT'
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");

const inputs = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line).in);
const asked = inputs.map((text) => Buffer.from(text).toString("base64")).join("\n") + "\n";
const answers = ["D1", "D2", "D3", "D4", "D5"].map((dialect) => {
  const oracle = `${process.argv[1]}/oracle-${dialect.toLowerCase()}`;
  const lines = execFileSync(oracle, { input: asked, maxBuffer: 1 << 28 }).toString().trim().split("\n");
  return [dialect, lines.map((line) => JSON.parse(line))];
});
inputs.forEach((input, index) => {
  const byText = {};
  const refused = [];
  const unreadable = [];
  for (const [dialect, list] of answers) {
    const { out, err, again } = list[index];
    if (err !== undefined) refused.push(dialect);
    else (byText[out] ??= []).push(dialect);
    if (err === undefined && again !== "same") unreadable.push(dialect);
  }
  const out = Object.entries(byText).map(([text, dialects]) => ({ dialects, text }));
  console.log(JSON.stringify({ in: input, out, refused, unreadable }));
});
SCRIPT
)" "$@"
