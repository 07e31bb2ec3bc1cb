/** Properties are tried on the same values in every run; FAST_CHECK_SEED tries others. */
import fc from "fast-check";

const seed = Number(process.env["FAST_CHECK_SEED"] ?? "20261130");

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
