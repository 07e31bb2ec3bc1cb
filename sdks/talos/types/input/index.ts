export type * as client from "./client";
export type * as cluster from "./cluster";
export type * as imageFactory from "./image-factory";
export type * as machine from "./machine";
