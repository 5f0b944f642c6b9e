import type { KindObjects, KindReadOptions } from '@orch/admission';
import type { CachedObject, ResourceCache } from '@orch/cache';
import type { ApiObject } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { parseJson } from '@orch/machinery/json';
import type { LabelSelector } from '@orch/machinery/selectors';
import type { ResourceLookup, VersionLookup } from '../context/paths.ts';
import { mostRecent } from '../request/resource-version.ts';
import { refuseUnreadable } from '../resource/refuse-unreadable.ts';
import type { ServedResource, StoredResource } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';

/** Maximum number of objects whose parsed form is kept. */
const MAX_PARSED = 256;

export interface KindObjectsParts extends ResourceLookup {
  readonly versioned: VersionLookup;
}

/**
 * The stored objects of a kind in one version, from the caches, as admission policies read their parameters. Undefined for a
 * kind that is not served, or not stored.
 */
export function kindObjects(
  parts: KindObjectsParts,
): (apiVersion: string, kind: string) => KindObjects | undefined {
  const parsed = new ParsedObjects();
  const kinds = new Map<string, KindObjects | undefined>();
  let generation = -1;
  return (apiVersion, kind) => {
    if (generation !== parts.table.generation) {
      generation = parts.table.generation;
      kinds.clear();
    }
    const key = `${apiVersion}/${kind}`;
    const known = kinds.get(key);
    if (known !== undefined) return known;
    const resource = parts.table.all.find(
      ({ type, ...served }) =>
        served.apiVersion === apiVersion && type.kind === kind && type.virtual !== true,
    );
    const found = resource === undefined ? undefined : new CachedKind(parts, resource, parsed);
    if (found !== undefined) kinds.set(key, found);
    return found;
  };
}

class CachedKind implements KindObjects {
  readonly namespaced: boolean;
  readonly #parts: KindObjectsParts;
  readonly #resource: StoredResource;
  readonly #cache: ResourceCache;
  readonly #parsed: ParsedObjects;

  constructor(parts: KindObjectsParts, resource: ServedResource, parsed: ParsedObjects) {
    this.namespaced = resource.type.namespaced;
    this.#parts = parts;
    this.#resource = parts.stored(resource);
    this.#cache = this.#resource.cache;
    this.#parsed = parsed;
  }

  async get(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    options: KindReadOptions,
  ): Promise<ApiObject | undefined> {
    await this.#loaded(options);
    const key = objectKey(this.namespaced, namespace, name);
    const found = this.#cache.get(key);
    if (found?.corrupt === true) refuseUnreadable(this.#resource, { prefix: '', exact: key });
    return found === undefined ? undefined : this.#read(found, options);
  }

  async list(
    namespace: string,
    selector: LabelSelector,
    options: KindReadOptions,
  ): Promise<readonly ApiObject[]> {
    await this.#loaded(options);
    const scope = { prefix: this.namespaced ? `${namespace}/` : '' };
    // It is unknown whether the selector matches an object that cannot be read.
    refuseUnreadable(this.#resource, scope);
    const { objects } = await this.#cache.list(
      {
        scope,
        filter: {
          fieldEquals: [],
          labelEquals: selector.equalities.map(({ key, value }) => ({ label: key, value })),
          matchesLabels: (labels) => selector.matches(labels),
          matchesFields: () => true,
          everything: selector.everything,
        },
      },
      options.signal,
    );
    const found: ApiObject[] = [];
    for (const object of objects) found.push(await this.#read(object, options));
    return found;
  }

  /** Until the objects of a new resource are loaded, none are known. */
  async #loaded({ isFresh, signal }: KindReadOptions): Promise<void> {
    const freshness = isFresh ? mostRecent : ({ kind: 'any' } as const);
    if (!this.#cache.isFresh(freshness)) await this.#cache.waitFresh(freshness, signal);
  }

  #read(object: CachedObject, { signal }: KindReadOptions): ApiObject | Promise<ApiObject> {
    const { apiVersion } = this.#resource;
    return this.#parsed.get(object, apiVersion, () => {
      const hub = parseJson(object.json()) as ApiObject;
      return this.#parts.versioned.of(this.#resource, '').fromHub(hub, signal);
    });
  }
}

interface ParsedObject {
  readonly apiVersion: string;
  readonly object: ApiObject;
}

/** The most recently parsed objects, each in one version. */
class ParsedObjects {
  readonly #objects = new BoundedCache<CachedObject, ParsedObject>({ maxEntries: MAX_PARSED });

  get(
    cached: CachedObject,
    apiVersion: string,
    parse: () => ApiObject | Promise<ApiObject>,
  ): ApiObject | Promise<ApiObject> {
    const known = this.#objects.get(cached);
    if (known?.apiVersion === apiVersion) return known.object;
    const object = parse();
    if (object instanceof Promise)
      return object.then((converted) => this.#keep(cached, { apiVersion, object: converted }));
    return this.#keep(cached, { apiVersion, object });
  }

  #keep(cached: CachedObject, parsed: ParsedObject): ApiObject {
    this.#objects.set(cached, parsed);
    return parsed.object;
  }
}
