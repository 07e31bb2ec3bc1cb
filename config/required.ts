/** The rules have run before: something absent here is a fault of this program, not of its user. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the rules let an incomplete configuration through");
  return value;
}
