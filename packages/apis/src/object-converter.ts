import type { ApiObject } from '@orch/machinery';

/**
 * Converts objects of one kind between its versions with a conversion webhook. Results have all fields that the webhook
 * returned, and the metadata of the original except for labels and annotations. They do not depend on
 * `metadata.managedFields` and `metadata.resourceVersion`, which are not sent, and are neither pruned nor defaulted.
 */
export interface ObjectConverter {
  /** Whether objects were loaded that are not stored in the storage version. */
  readonly hasOutdated: boolean;
  /** Records that such an object was loaded. */
  noteOutdated(): void;
  /**
   * A cached result; undefined when the webhook must convert the object. Results are shared and must not be changed.
   */
  find(object: ApiObject, apiVersion: string): ApiObject | undefined;
  /**
   * Converts an object; `find` returns the result until the returned value is disposed, and usually for some time after
   * that.
   */
  hold(object: ApiObject, apiVersion: string, signal: AbortSignal): Promise<Disposable>;
  /**
   * Converts objects with one request, in order. Results are shared and must not be changed. Rejects with an
   * `ApiError`, or with the reason of the signal; the request continues for other callers that wait for the same
   * objects.
   */
  convert(
    objects: readonly ApiObject[],
    apiVersion: string,
    signal: AbortSignal,
  ): Promise<readonly ApiObject[]>;
}
