import type { Scope, UnreadableObject } from '@orch/cache';
import { type ApiError, errors } from '@orch/machinery';
import type { StoredResource } from './served-resource.ts';

/** Maximum number of objects that a message names. */
const MOST_NAMED = 100;

/** Throws an error that names the objects in the scope which cannot be decrypted or decoded, with the reason of each. */
export function refuseUnreadable(resource: Refused, scope: Scope): void {
  const error = unreadableError(resource, scope);
  if (error !== undefined) throw error;
}

/** That error; undefined when all objects can be read. */
export function unreadableError({ cache, type }: Refused, scope: Scope): ApiError | undefined {
  const objects = cache.unreadable(scope);
  return objects.length === 0 ? undefined : errorAbout(type, objects);
}

/** 503 when all of the objects can be decrypted once their key service answers, 500 otherwise. */
export function errorAbout(type: Refused['type'], objects: readonly UnreadableObject[]): ApiError {
  const named = objects.slice(0, MOST_NAMED).map(({ key, reason }) => `${key} (${reason})`);
  const rest = objects.length > MOST_NAMED ? ` and ${objects.length - MOST_NAMED} more` : '';
  const message = `stored objects of ${type.resource} cannot be read: ${named.join(', ')}${rest}`;
  return objects.every(({ isTemporary }) => isTemporary)
    ? errors.serviceUnavailable(message)
    : errors.internal(undefined, message);
}

interface Refused {
  readonly cache: Pick<StoredResource['cache'], 'unreadable'>;
  readonly type: Pick<StoredResource['type'], 'resource'>;
}
