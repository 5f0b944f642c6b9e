import type { Release } from '@orch/apis';
import type { HubObject } from '@orch/kinds/hub-object';
import type { Env, Names } from '@orch/machinery';
import type { Store } from '@orch/storage';
import type { WritePath } from '../context/paths.ts';
import { InternalResource } from './internal-resource.ts';

/** The interface through which parts of the server outside the registry read and write objects. */
export interface InternalObjects {
  /** A resource by the key of its group, in the first served version; undefined when the release does not have it. */
  resource<Group extends string, Resource extends string>(
    group: Group,
    resource: Resource,
  ): InternalResource<HubObject<Group extends '' ? Resource : `${Resource}.${Group}`>> | undefined;
}

export const internalObjects = (path: WritePath): InternalObjects => ({
  resource(group, resource) {
    const found = path.table.all.find(({ type }) => type.group === group && type.resource === resource);
    return found === undefined ? undefined : new InternalResource(path, path.stored(found));
  },
});

/** The context that parts of the server outside the registry share with it. */
export interface ServerContext {
  readonly names: Names;
  readonly env: Env;
  readonly release: Release;
  readonly store: Store;
  readonly storePrefix: string;
  readonly objects: InternalObjects;
}
