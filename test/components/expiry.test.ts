import { readFileSync } from "node:fs";
import { join } from "node:path";
import { firstExpiry } from "../../components/expiry";

const certificate = (name: string) => readFileSync(join(__dirname, "fixtures", name)).toString("base64");

test("the certificate that ends first decides", () => {
  const oneYear = firstExpiry([certificate("one-year.crt")]);
  expect(firstExpiry([certificate("ten-years.crt"), undefined, certificate("one-year.crt")])).toBe(oneYear);
  expect(oneYear).toMatch(/^2027-11-30T\d\d:\d\d:\d\d\.000Z$/);
});
