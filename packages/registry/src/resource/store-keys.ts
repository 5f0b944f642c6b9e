import type { ResourceType } from '@orch/apis';

/** Prefix of all keys of the registry in the store, with a slash at its end. */
export const DEFAULT_STORE_PREFIX = '/registry/';

/**
 * The prefix of the keys of a resource: `<prefix><resource>/`, for groups other than core
 * `<prefix><resource>.<group>/` with the group's key in the names table, so that the layout is the same under both
 * namings.
 */
export const keyPrefixOf = (type: ResourceType, storePrefix: string = DEFAULT_STORE_PREFIX): string =>
  `${storePrefix}${cacheNameOf(type)}/`;

/** `pods`, `leases.coordination`. */
export const cacheNameOf = (type: Pick<ResourceType, 'group' | 'resource'>): string =>
  type.group === '' ? type.resource : `${type.resource}.${type.group}`;

/** Key of an object below its resource's prefix: `namespace/name` or `name`. */
export const objectKey = (namespaced: boolean, namespace: string, name: string): string =>
  namespaced ? `${namespace}/${name}` : name;

/** A key for the server's own use; no resource name begins with `~`. */
export const internalKey = (storePrefix: string, name: string): string => `${storePrefix}~internal/${name}`;
