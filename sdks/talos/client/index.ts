export * from "./get-configuration";
