import { type ApiObject, type Env, finiteNumber } from '@orch/machinery';
import { abortable, aborted, type Deferred, deferred, sleep } from '@orch/machinery/concurrency';
import type { Change, Informer } from '../informer/types.ts';
import { keyOf, type ObjectKey, objectKey } from '../objects/object-key.ts';
import { controllerOf } from '../objects/owner-references.ts';
import type { Stored } from '../rest/types.ts';
import type { Source } from './types.ts';

/** The objects of a change: both versions of an updated one, since their keys may differ. */
const objectsOf = <T extends ApiObject>(change: Change<T>): readonly T[] =>
  change.type === 'updated' ? [change.old, change.object] : [change.object];

/** The changes of an informer that add keys, and which keys these are. */
export interface InformerSourceOptions<T extends ApiObject, K> {
  /** The keys for an object; its own key when absent. */
  readonly keys?: (object: Stored<T>) => readonly K[];
  /** Selects the changes that add keys. */
  readonly filter?: (change: Change<Stored<T>>) => boolean;
  /** Delay before the key is ready, so that several changes lead to one reconciliation. */
  readonly delayMs?: number;
}

/** Keys of objects that change in an informer, by default their own. For updates, both versions of the object count. */
export function informerSource<T extends ApiObject, K>(
  informer: Informer<T>,
  options: InformerSourceOptions<T, K> & { readonly keys: (object: Stored<T>) => readonly K[] },
): Source<K>;
export function informerSource<T extends ApiObject>(
  informer: Informer<T>,
  options?: Omit<InformerSourceOptions<T, ObjectKey>, 'keys'>,
): Source<ObjectKey>;
export function informerSource<T extends ApiObject>(
  informer: Informer<T>,
  options: InformerSourceOptions<T, unknown> = {},
): Source<unknown> {
  const { keys = (object: Stored<T>) => [objectKey(object)], filter = () => true, delayMs } = options;
  if (delayMs !== undefined) finiteNumber('delayMs', delayMs);
  return {
    async run(add, signal) {
      const unsubscribe = informer.subscribe((change) => {
        if (!filter(change)) return;
        const concerned = new Set(objectsOf(change).flatMap(keys));
        for (const key of concerned) add(key, delayMs);
      });
      await aborted(signal);
      unsubscribe();
    },
    synced: (signal) => informer.synced(signal),
  };
}

/** The kind of owners whose keys `ownerSource` adds. */
export interface OwnerKind {
  /** API group as served. Versions are not compared: a reference has the version that its writer used. */
  readonly group: string;
  readonly kind: string;
  /** False: owners are cluster-scoped, and their keys have no namespace. */
  readonly namespaced: boolean;
}

/** Keys of the controlling owners of objects that change in an informer. */
export function ownerSource<T extends ApiObject>(informer: Informer<T>, owner: OwnerKind): Source<ObjectKey> {
  return informerSource(informer, {
    keys: (object) => {
      const reference = controllerOf(object);
      if (reference?.kind !== owner.kind) return [];
      const slash = reference.apiVersion.indexOf('/');
      const group = slash < 0 ? '' : reference.apiVersion.slice(0, slash);
      if (group !== owner.group) return [];
      return [keyOf(owner.namespaced ? object.metadata.namespace : undefined, reference.name)];
    },
  });
}

/**
 * Keys of the objects in another informer that refer to a changed object, by an index. Referring objects that change
 * themselves need a separate source.
 */
export function indexSource<T extends ApiObject, U extends ApiObject>(
  informer: Informer<T>,
  referring: {
    readonly informer: Informer<U>;
    readonly index: string;
    values(object: Stored<T>): readonly string[];
  },
): Source<ObjectKey> {
  const source = informerSource(informer, {
    keys: (object) =>
      referring
        .values(object)
        .flatMap((value) => referring.informer.store.byIndex(referring.index, value).map(objectKey)),
  });
  return {
    run: (add, signal) => source.run(add, signal),
    async synced(signal) {
      await Promise.all([source.synced(signal), referring.informer.synced(signal)]);
    },
  };
}

/** Adds keys at the start and at intervals, with up to 10 % of jitter. Throws a RangeError for an interval that is not positive. */
export function periodicSource<K>(
  env: Pick<Env, 'clock' | 'random'>,
  intervalMs: number,
  keys: () => readonly K[],
): Source<K> {
  finiteNumber('intervalMs', intervalMs, { above: 0 });
  const first: Deferred<void> = deferred();
  return {
    async run(add, signal) {
      while (!signal.aborted) {
        for (const key of keys()) add(key);
        first.resolve();
        const spreadMs = env.random.int(Math.ceil(intervalMs / 10) + 1);
        await sleep(env.clock, intervalMs + spreadMs, signal).catch(() => undefined);
      }
    },
    synced: (signal) => abortable(first.promise, signal),
  };
}
