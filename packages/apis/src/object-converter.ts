import type { ApiObject } from '@orch/machinery';

/**
 * Converts objects of one kind between its versions where a service converts (conversion webhooks). Results have all
 * fields that the service returned, and the metadata of the original except for labels and annotations. They neither
 * depend on `metadata.managedFields` and `metadata.resourceVersion`, which are not sent, nor are they pruned or
 * defaulted.
 */
export interface ObjectConverter {
  /** Whether objects were loaded that are stored in another version than the storage version. */
  readonly hasOutdated: boolean;
  /** Records that such an object was loaded. */
  noteOutdated(): void;
  /**
   * A result that is kept; undefined when the service must convert the object. Results are shared and must not be
   * changed.
   */
  find(object: ApiObject, apiVersion: string): ApiObject | undefined;
  /** Converts an object; `find` has the result until the returned value is disposed, and usually for some time after that. */
  hold(object: ApiObject, apiVersion: string, signal: AbortSignal): Promise<Disposable>;
  /**
   * Converts objects with one request, in their order. Results are shared and must not be changed. Rejects with an `ApiError`, or with
   * the reason of the signal; the request continues for other callers that wait for the same objects.
   */
  convert(
    objects: readonly ApiObject[],
    apiVersion: string,
    signal: AbortSignal,
  ): Promise<readonly ApiObject[]>;
}
