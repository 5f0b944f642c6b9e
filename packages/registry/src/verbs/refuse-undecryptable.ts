import type { Scope } from '@orch/cache';
import { type ApiError, errors } from '@orch/machinery';
import type { StoredResource } from '../resource/served-resource.ts';

/** Most objects that a message names. */
const MOST_NAMED = 10;

/** Throws an error that names the objects in the scope which cannot be decrypted, with the reason of each. */
export function refuseUndecryptable(resource: Refused, scope: Scope): void {
  const error = undecryptableError(resource, scope);
  if (error !== undefined) throw error;
}

/**
 * That error; undefined when all objects can be decrypted. 503 when all of them can be decrypted as soon as their key service answers,
 * 500 otherwise.
 */
export function undecryptableError({ cache, type }: Refused, scope: Scope): ApiError | undefined {
  const objects = cache.undecryptable(scope);
  if (objects.length === 0) return undefined;
  const named = objects.slice(0, MOST_NAMED).map(({ key, reason }) => `${key} (${reason})`);
  const rest = objects.length > MOST_NAMED ? ` and ${objects.length - MOST_NAMED} more` : '';
  const message = `stored objects of ${type.resource} cannot be decrypted: ${named.join(', ')}${rest}`;
  return objects.every(({ isTemporary }) => isTemporary)
    ? errors.serviceUnavailable(message)
    : errors.internal(undefined, message);
}

type Refused = Pick<StoredResource, 'cache' | 'type'>;
