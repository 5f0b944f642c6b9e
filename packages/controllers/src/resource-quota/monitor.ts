import {
  type Change,
  type ControllerContext,
  createInformer,
  type Informer,
  type Stored,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { type Measure, sameMeasure, writeAmounts } from '@orch/quota';
import type { CountedResource } from './counted-resources.ts';

/** Distinct measures that are shared between objects. */
const MAX_SHARED = 4096;
const INDEX = 'resourcequota';
const byNamespace = (object: ApiObject): readonly string[] => [object.metadata.namespace ?? ''];

/** The fields that counting objects requires. */
function onlyIdentity({ kind, apiVersion, metadata }: Stored<ApiObject>): Stored<ApiObject> {
  const { name, namespace = '', uid, resourceVersion } = metadata;
  return { kind, apiVersion, metadata: { name, namespace, uid, resourceVersion } };
}

/** A change of what an object uses: undefined before it was created, and after it was deleted. */
export interface UseChange {
  readonly before: Measure | undefined;
  readonly after: Measure | undefined;
}

/** Measures the objects of one resource for quotas. */
export class Monitor {
  readonly counted: CountedResource;
  readonly informer: Informer;
  readonly #measures = new WeakMap<ApiObject, Measure>();
  readonly #sharedMeasures = new BoundedCache<string, Measure>({ maxEntries: MAX_SHARED });

  constructor(counted: CountedResource, informer: Informer) {
    this.counted = counted;
    this.informer = informer;
    informer.addIndex(INDEX, byNamespace);
  }

  /** The measures of the objects in a namespace. */
  measuresIn(namespace: string): readonly Measure[] {
    return this.informer.store.byIndex(INDEX, namespace).map((object) => this.#measure(object));
  }

  /** The effect of a change on usage; undefined for no effect, and for the initial objects. */
  useChange(change: Change): UseChange | undefined {
    const measure = this.#measure(change.object);
    switch (change.type) {
      case 'added':
        return change.isInitial ? undefined : { before: undefined, after: measure };
      case 'updated': {
        const before = this.#measure(change.old);
        return sameMeasure(before, measure) ? undefined : { before, after: measure };
      }
      case 'deleted':
        return { before: measure, after: undefined };
    }
  }

  /** Most objects have the same measure as others: equal measures are kept once. */
  #shared(measure: Measure): Measure {
    const { always, whileLive, liveUntilMs, scopes } = measure;
    const key = JSON.stringify([writeAmounts(always), writeAmounts(whileLive), String(liveUntilMs), scopes]);
    const shared = this.#sharedMeasures.get(key);
    if (shared !== undefined) return shared;
    this.#sharedMeasures.set(key, measure);
    return measure;
  }

  #measure(object: ApiObject): Measure {
    const cached = this.#measures.get(object);
    if (cached !== undefined) return cached;
    const measure = this.#shared(this.counted.evaluator.measure(object));
    this.#measures.set(object, measure);
    return measure;
  }
}

/** Resources whose content is measured. Other controllers use them too, so that their informers are shared. */
const measured: ReadonlySet<string> = new Set(['pods', 'services', 'persistentvolumeclaims']);

/**
 * The monitor of a resource. Resources of which only the number matters get an informer for this controller alone, which
 * keeps only the identity of objects and ends with `signal`.
 */
export function monitorOf(
  counted: CountedResource,
  { client, env, informers }: Pick<ControllerContext, 'client' | 'env' | 'informers'>,
  signal: AbortSignal,
): Monitor {
  const { group, version, resource, kind, namespaced } = counted.resource;
  const monitored = { group, version, resource, kind, namespaced };
  if (group === '' && measured.has(resource)) return new Monitor(counted, informers.informer(monitored));
  const informer = createInformer({ client, env }, monitored, {
    metadataOnly: true,
    transform: onlyIdentity,
  });
  void informer.run(signal);
  return new Monitor(counted, informer);
}
