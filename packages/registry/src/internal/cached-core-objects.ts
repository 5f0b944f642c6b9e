import type { EndpointSlice } from '@orch/kinds/discovery';
import type { HubObject } from '@orch/kinds/hub-object';
import { errors, type Names } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { CoreObjects, CoreResource } from '../context/core-objects.ts';
import type { ResourceLookup } from '../context/paths.ts';
import { mostRecent } from '../request/resource-version.ts';
import { labelledObjects } from '../resource/labelled-objects.ts';
import { refuseUnreadable } from '../resource/refuse-unreadable.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';

const SLICES = 'endpointslices';

/** Objects of the core group from the caches. All caches of a replica follow one stream: one wait makes all of them fresh. */
export class CachedCoreObjects implements CoreObjects {
  readonly #resources: ResourceLookup;
  readonly #serviceLabel: string;

  constructor(resources: ResourceLookup, { labels }: Names) {
    this.#resources = resources;
    this.#serviceLabel = labels.serviceName;
  }

  async fresh(signal: AbortSignal): Promise<void> {
    const { cache } = this.#served('pods');
    if (!cache.isFresh(mostRecent)) await cache.waitFresh(mostRecent, signal);
  }

  find<R extends CoreResource>(resource: R, namespace: string, name: string): HubObject<R> | undefined {
    // The name is part of a compound path segment: a slash in it would change which key is read.
    if (name.includes('/')) return undefined;
    const key = objectKey(namespace !== '', namespace, name);
    const served = this.#served(resource);
    const found = served.cache.get(key);
    if (found?.corrupt === true) refuseUnreadable(served, { prefix: '', exact: key });
    return found === undefined ? undefined : (parseJson(found.json()) as HubObject<R>);
  }

  slices(namespace: string, service: string): readonly EndpointSlice[] {
    const { table } = this.#resources;
    const served = table.all.find(({ type }) => type.group === 'discovery' && type.resource === SLICES);
    if (served === undefined) return [];
    const { cache } = this.#resources.stored(served);
    const found = labelledObjects(cache, { namespace, label: this.#serviceLabel, value: service });
    return found.map((slice) => parseJson(slice.json()) as EndpointSlice);
  }

  get<R extends CoreResource>(resource: R, namespace: string, name: string): HubObject<R> {
    const found = this.find(resource, namespace, name);
    if (found === undefined) throw errors.notFound({ group: '', kind: resource, name });
    return found;
  }

  #served(resource: CoreResource): StoredResource {
    const served = this.#resources.table.find('', 'v1', resource);
    if (served === undefined) throw new TypeError(`the API has no ${resource}`);
    return this.#resources.stored(served);
  }
}
