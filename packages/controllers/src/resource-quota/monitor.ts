import {
  type Change,
  createInformer,
  type Informer,
  type InformerFactory,
  type InformerSettings,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { type Measure, sameMeasure, writeAmounts } from '@orch/quota';
import type { CountedResource } from './counted-resources.ts';

/** Measures that are remembered to be shared; beyond that they are forgotten, and met again. */
const MAX_KINDS = 4096;
const INDEX = 'resourcequota';
const byNamespace = (object: ApiObject): readonly string[] => [object.metadata.namespace ?? ''];

/** All that is needed of an object which is only counted. */
function onlyIdentity({ metadata }: ApiObject): ApiObject {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { metadata: { name, namespace, uid, resourceVersion } };
}

/** What became of the use of a namespace. */
export type UseChange = 'more' | 'less';

/** Follows the objects of one resource as far as quotas are concerned. */
export class Monitor {
  readonly counted: CountedResource;
  readonly informer: Informer;
  readonly #measures = new WeakMap<ApiObject, Measure>();
  readonly #kinds = new Map<string, Measure>();

  constructor(counted: CountedResource, informer: Informer) {
    this.counted = counted;
    this.informer = informer;
    informer.addIndex(INDEX, byNamespace);
  }

  /** What its objects in a namespace take. */
  measuresIn(namespace: string): readonly Measure[] {
    return this.informer.store.byIndex(INDEX, namespace).map((object) => this.#measure(object));
  }

  /** What a change means for quotas; undefined for nothing, and for what was there at the start. */
  useChange(change: Change): UseChange | undefined {
    switch (change.type) {
      case 'added':
        return change.isInitial ? undefined : 'more';
      case 'updated':
        return sameMeasure(this.#measure(change.old), this.#measure(change.object)) ? undefined : 'less';
      case 'deleted':
        return 'less';
    }
  }

  /** Most objects take the same as some other: what is said of all of them is kept once. */
  #shared(measure: Measure): Measure {
    const { always, whileLive, liveUntilMs, scopes } = measure;
    const key = JSON.stringify([writeAmounts(always), writeAmounts(whileLive), String(liveUntilMs), scopes]);
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    if (this.#kinds.size >= MAX_KINDS) this.#kinds.clear();
    this.#kinds.set(key, measure);
    return measure;
  }

  #measure(object: ApiObject): Measure {
    const known = this.#measures.get(object);
    if (known !== undefined) return known;
    const measure = this.#shared(this.counted.evaluator.measure(object));
    this.#measures.set(object, measure);
    return measure;
  }
}

/** The resources whose content counts, not only their number. Others look at them too, so that their informers are shared. */
const measured: ReadonlySet<string> = new Set(['pods', 'services', 'persistentvolumeclaims']);

/**
 * Follows a resource. Informers of resources that are only counted are of this controller alone, and end with `signal`:
 * they keep next to nothing of an object.
 */
export function monitorOf(
  counted: CountedResource,
  shared: InformerFactory,
  settings: InformerSettings,
  signal: AbortSignal,
): Monitor {
  const { group, version, resource, kind, namespaced } = counted.resource;
  const followed = { group, version, resource, kind, namespaced };
  if (group === '' && measured.has(resource)) return new Monitor(counted, shared.informer(followed));
  const informer = createInformer(settings, followed, { metadataOnly: true, transform: onlyIdentity });
  void informer.run(signal);
  return new Monitor(counted, informer);
}
