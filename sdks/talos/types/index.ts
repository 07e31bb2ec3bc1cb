export type * as input from "./input";
export type * as output from "./output";
