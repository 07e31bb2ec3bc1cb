import type { Args } from "../args";
import type * as shapes from "../shapes";

export type {
  NamesFilter as GetExtensionsVersionsExactFilters,
  NamesFilter as GetExtensionsVersionsFilters,
  NameFilter as GetOverlaysVersionsFilters,
  StableFilter as GetVersionsFilters,
} from "../shapes";

export type GetExtensionsVersionsExactFiltersArgs = Args<shapes.NamesFilter>;
export type GetExtensionsVersionsFiltersArgs = Args<shapes.NamesFilter>;
export type GetOverlaysVersionsFiltersArgs = Args<shapes.NameFilter>;
export type GetVersionsFiltersArgs = Args<shapes.StableFilter>;
