/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  transform: {
    "\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } }],
  },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.rehearsal", "<rootDir>/.lab"],
};
