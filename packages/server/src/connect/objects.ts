import { type ApiObject, errors, parseJson } from '@orch/machinery';
import { mostRecent } from '../registry/request/resource-version.ts';
import type { RegistryContext } from '../registry/resource/registry-context.ts';
import { objectKey } from '../registry/resource/store-keys.ts';

/** What connections need of the registry. */
export type ObjectSource = Pick<RegistryContext, 'table' | 'stored'>;

type CoreResource = 'pods' | 'services' | 'endpoints' | 'nodes';

/**
 * Objects of the core group as they are now, from the caches. All caches of a replica follow one stream, so that one
 * wait makes all of them fresh.
 */
export class Objects {
  readonly #source: ObjectSource;

  constructor(source: ObjectSource) {
    this.#source = source;
  }

  /** Resolves when everything that was committed before the call is seen. */
  async fresh(signal: AbortSignal): Promise<void> {
    const cache = this.#cache('pods');
    if (!cache.isFresh(mostRecent)) await cache.waitFresh(mostRecent, signal);
  }

  /** Undefined when it does not exist. `namespace` is empty for nodes. */
  find(resource: CoreResource, namespace: string, name: string): ApiObject | undefined {
    // The name comes out of a compound segment of the path: no character of it may lead elsewhere in the key.
    if (name.includes('/')) return undefined;
    const found = this.#cache(resource).get(objectKey(namespace !== '', namespace, name));
    return found === undefined ? undefined : (parseJson(found.json()) as ApiObject);
  }

  /** 404 when it does not exist. */
  get(resource: CoreResource, namespace: string, name: string): ApiObject {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw errors.notFound({ group: '', kind: resource, name });
    return found;
  }

  #cache(resource: CoreResource) {
    const served = this.#source.table.find('', 'v1', resource);
    if (served === undefined) throw new TypeError(`the API has no ${resource}`);
    return this.#source.stored(served).cache;
  }
}
