import type { EndpointSlice } from '@orch/kinds/discovery';
import type { HubObject } from '@orch/kinds/hub-object';

export type CoreResource = 'pods' | 'services' | 'endpoints' | 'nodes';

/** Current objects of the core group, and the EndpointSlices of its services, for connections. */
export interface CoreObjects {
  /** Resolves when everything that was committed before the call is visible. */
  fresh(signal: AbortSignal): Promise<void>;
  /** Undefined when it does not exist. `namespace` is empty for nodes. */
  find<R extends CoreResource>(resource: R, namespace: string, name: string): HubObject<R> | undefined;
  /** The EndpointSlices of a service, by their label, sorted by name; those that cannot be read are omitted. */
  slices(namespace: string, service: string): readonly EndpointSlice[];
  /** Throws 404 when it does not exist. */
  get<R extends CoreResource>(resource: R, namespace: string, name: string): HubObject<R>;
}
