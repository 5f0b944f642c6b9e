import type { ApiObject } from '@orch/machinery';

/** An object that every cluster has (facts: bootstrap objects), cluster-scoped, in the hub version of its kind. */
export interface BootstrapObject {
  /** Key of the group in the names table. */
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  /** Everything but its name. */
  readonly content: ApiObject;
  readonly status?: Readonly<Record<string, unknown>>;
  /**
   * What becomes of one that is there: `leave` it; `restore` its spec, at every start; or `refresh` its spec, unless
   * somebody changed it, or said that it is not to be.
   */
  readonly whenPresent: 'leave' | 'restore' | 'refresh';
}
