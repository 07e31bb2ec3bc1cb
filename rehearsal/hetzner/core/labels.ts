import { invalid } from "./errors";
import type { Labels } from "./model";

const keyPattern = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

/** Refuses labels that the API refuses: keys and values of at most 63 characters. */
export function checkLabels(labels: Labels): void {
  for (const [key, value] of Object.entries(labels)) {
    if (!keyPattern.test(key)) throw invalid("labels", `key ${key} is not a valid label key`);
    if (!valuePattern.test(value))
      throw invalid("labels", `value ${value} of ${key} is not a valid label value`);
  }
}

type Test = (labels: Labels) => boolean;

function term(text: string): Test {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    const isIn: Test = (labels) => labels[key] !== undefined && values.includes(labels[key]);
    return operator === "in" ? isIn : (labels) => !isIn(labels);
  }
  const compare = /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/.exec(text);
  if (compare !== null) {
    const [, key = "", operator, value] = compare;
    return operator === "!=" ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
  }
  const exists = /^(!?)\s*([^\s=!]+)$/.exec(text);
  if (exists === null) throw invalid("label_selector", "invalid label selector");
  const [, not, key = ""] = exists;
  return (labels) => (labels[key] !== undefined) === (not === "");
}

/** The test a label selector stands for: `a=b,c!=d,e,!f,g in (x,y)`. */
export function selector(text: string): Test {
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const tests = parts.filter((part) => part !== "").map(term);
  return (labels) => tests.every((test) => test(labels));
}
