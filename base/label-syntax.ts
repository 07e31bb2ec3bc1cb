const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** How to write the key of a label or taint. */
export const nameForm = "write NAME or example.net/NAME";

/** Whether a text can be the key of a Kubernetes label or taint. */
export function isQualifiedName(text: string): boolean {
  const [first = "", second, ...others] = text.split("/");
  if (others.length > 0) return false;
  return second === undefined ? name.test(first) : prefix.test(first) && name.test(second);
}

export function isLabelValue(text: string): boolean {
  return text === "" || name.test(text);
}
