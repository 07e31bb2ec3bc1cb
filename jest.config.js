const swc = [
  "@swc/jest",
  { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
];

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // Most tests talk to services of their own over loopback: jest's five seconds tell a busy machine, not a fault.
  testTimeout: 30_000,
  // These two are published as ES modules only.
  transform: { "\\.ts$": swc, "/node_modules/(p-retry|is-network-error)/": swc },
  transformIgnorePatterns: ["/node_modules/(?!(p-retry|is-network-error)/)"],
  setupFiles: ["<rootDir>/test/support/seed.ts"],
  testMatch: ["<rootDir>/test/**/*.test.ts", "<rootDir>/rehearsal/test/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.rehearsal", "<rootDir>/.lab"],
};
