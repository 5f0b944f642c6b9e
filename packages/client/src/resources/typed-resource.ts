import type { ApiObject } from '@orch/machinery';

/** A resource as in discovery, with all data for its paths. */
export interface Resource {
  /** As served: `''`, `apps`, `rbac.authorization.…`. */
  readonly group: string;
  readonly version: string;
  /** Plural: `pods`. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A resource with the type of its objects, which exists for the compiler only. */
export interface TypedResource<T extends ApiObject> extends Resource {
  readonly [objectType]?: T;
}

declare const objectType: unique symbol;
