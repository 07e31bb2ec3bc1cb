import { invalid } from "./errors";
import { selector } from "./labels";
import type { Labels } from "./model";

interface Listed {
  readonly id: number;
  readonly name?: string | null;
  readonly labels?: Labels;
}

const readNumber = (
  query: URLSearchParams,
  name: string,
  rule: { fallback: number; max: number },
): number => {
  const text = query.get(name);
  if (text === null) return rule.fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw invalid(name, "must be a positive number");
  if (value > rule.max) throw invalid(name, `must not be greater than ${rule.max}`);
  return value;
};

const compare = (a: unknown, b: unknown): number => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  return left === right ? 0 : left < right ? -1 : 1;
};

function sorted<T extends Listed>(items: readonly T[], sorts: readonly string[]): T[] {
  const keys = sorts.map((text) => {
    const [key = "", direction = "asc"] = text.split(":");
    if (!/^[a-z_]+$/.test(key) || !["asc", "desc"].includes(direction))
      throw invalid("sort", `${text} is not valid`);
    return { key, sign: direction === "desc" ? -1 : 1 };
  });
  return [...items].sort((a, b) => {
    for (const { key, sign } of keys) {
      const order = compare(a[key as keyof T], b[key as keyof T]);
      if (order !== 0) return order * sign;
    }
    return a.id - b.id;
  });
}

function filtered<T extends Listed>(items: readonly T[], query: URLSearchParams): T[] {
  const test = selector(query.get("label_selector") ?? "");
  const name = query.get("name");
  const exact = ["architecture", "type", "status", "ip"].map((key) => ({ key, wanted: query.getAll(key) }));
  return items.filter((item) => {
    if (name !== null && item.name !== name) return false;
    if (!test(item.labels ?? {})) return false;
    return exact.every(({ key, wanted }) => {
      const value = (item as Record<string, unknown>)[key];
      return (
        wanted.length === 0 || value === undefined || (typeof value === "string" && wanted.includes(value))
      );
    });
  });
}

/** A page of `items` under `plural`, filtered and sorted as the query says. */
export function page(plural: string, items: readonly Listed[], query: URLSearchParams): object {
  const perPage = readNumber(query, "per_page", { fallback: 25, max: 50 });
  const current = readNumber(query, "page", { fallback: 1, max: Number.MAX_SAFE_INTEGER });
  const found = sorted(filtered(items, query), query.getAll("sort"));
  const last = Math.max(1, Math.ceil(found.length / perPage));
  const pagination = {
    page: current,
    per_page: perPage,
    previous_page: current > 1 ? current - 1 : null,
    next_page: current < last ? current + 1 : null,
    last_page: last,
    total_entries: found.length,
  };
  return { [plural]: found.slice((current - 1) * perPage, current * perPage), meta: { pagination } };
}
