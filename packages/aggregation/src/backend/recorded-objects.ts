import type { CachedObject } from '@orch/cache';
import type { EndpointSlice } from '@orch/kinds/discovery';
import type { HubObject } from '@orch/kinds/hub-object';
import type { Names } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { type CoreObjects, type CoreResource, type InternalResource, objectKey } from '@orch/registry';

/** A resource that leads to an endpoint: of the core group, or of `discovery`. */
export type EndpointResource = CoreResource | 'endpointslices';

/** The key of the group of such a resource. */
export const groupOf = (resource: EndpointResource): string =>
  resource === 'endpointslices' ? 'discovery' : '';

/** Caches of these resources; undefined for one that the release does not have. */
export type EndpointCaches = (resource: EndpointResource) => InternalResource | undefined;

export type Labels = Readonly<Record<string, string>>;

/** An object that was read, and its revision then; undefined when it did not exist. */
interface Read {
  readonly resource: CoreResource;
  readonly key: string;
  readonly revision: number | undefined;
}

/** The slices of a service that were read. */
interface ReadSlices {
  readonly namespace: string;
  readonly service: string;
  readonly found: readonly CachedObject[];
}

/** Cached objects that lead to an endpoint; it records what was looked up, to tell whether a result is current. */
export class RecordedObjects implements Pick<CoreObjects, 'find' | 'slices'> {
  readonly #caches: EndpointCaches;
  readonly #names: Names;
  readonly #reads: Read[] = [];
  readonly #slices: ReadSlices[] = [];

  constructor(caches: EndpointCaches, names: Names) {
    this.#caches = caches;
    this.#names = names;
  }

  /** The object that was looked up last, other than slices. */
  get last(): { readonly revision: number | undefined } | undefined {
    return this.#reads.at(-1);
  }

  find<R extends CoreResource>(resource: R, namespace: string, name: string): HubObject<R> | undefined {
    if (name.includes('/') || namespace.includes('/')) return undefined;
    const state = this.#caches(resource)?.cachedState({ namespace, name });
    const key = objectKey(namespace !== '', namespace, name);
    const revision = this.#caches(resource)?.cache.get(key)?.rev;
    this.#reads.push({ resource, key, revision });
    return state?.object as HubObject<R> | undefined;
  }

  slices(namespace: string, service: string): readonly EndpointSlice[] {
    const found = this.#slicesOf(namespace, service);
    this.#slices.push({ namespace, service, found });
    return found.map((slice) => parseJson(slice.json()) as EndpointSlice);
  }

  /** Reports whether every object that was looked up is unchanged. */
  isCurrent(): boolean {
    return (
      this.#reads.every(
        ({ resource, key, revision }) => this.#caches(resource)?.cache.get(key)?.rev === revision,
      ) &&
      this.#slices.every(({ namespace, service, found }) => isSame(found, this.#slicesOf(namespace, service)))
    );
  }

  /** Reports whether an object was looked up, there or not; `labels` are its current labels. */
  contains(resource: EndpointResource, key: string, labels: Labels | undefined): boolean {
    if (resource !== 'endpointslices')
      return this.#reads.some((read) => read.key === key && read.resource === resource);
    const named = labels?.[this.#names.labels.serviceName];
    return this.#slices.some(
      ({ namespace, service, found }) =>
        (named === service && key.startsWith(`${namespace}/`)) || found.some((slice) => slice.key === key),
    );
  }

  #slicesOf(namespace: string, value: string): readonly CachedObject[] {
    const label = this.#names.labels.serviceName;
    return this.#caches('endpointslices')?.cachedLabelled({ namespace, label, value }) ?? [];
  }
}

const isSame = (before: readonly CachedObject[], now: readonly CachedObject[]): boolean =>
  before.length === now.length &&
  before.every(({ key, rev }, i) => now[i]?.key === key && now[i].rev === rev);
