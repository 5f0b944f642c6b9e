import type { ApiObject } from '@orch/machinery';

/** An object that every cluster has (facts: bootstrap objects), cluster-scoped, in the hub version of its kind. */
export interface BootstrapObject {
  /** Key of the group in the names table. */
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  /** The object without its name. */
  readonly content: ApiObject;
  readonly status?: Readonly<Record<string, unknown>>;
  /** Field manager of the object; the server itself when absent. */
  readonly manager?: string;
  /**
   * The treatment of an existing object: `leave` it unchanged; `restore` its spec at every start; or `refresh` its spec
   * unless it was changed, or its annotation disables updates.
   */
  readonly whenPresent: 'leave' | 'restore' | 'refresh';
}
