import {
  type ApiObject,
  abortable,
  aborted,
  type Deferred,
  deferred,
  type Env,
  sleep,
} from '@orch/machinery';
import type { Change, Informer, ObjectKey } from '../informer/types.ts';
import { keyOf, objectKey } from '../objects/object-key.ts';
import { controllerOf } from '../objects/owner-references.ts';
import type { Source } from './types.ts';

/** The objects that a change speaks of: both forms of an updated one, since either may say whom it concerns. */
const objectsOf = <T extends ApiObject>(change: Change<T>): readonly T[] =>
  change.type === 'updated' ? [change.old, change.object] : [change.object];

export interface InformerSourceOptions<T extends ApiObject, K> {
  /** The keys that an object concerns; its own when absent. */
  readonly keys?: (object: T) => readonly K[];
  /** Changes that nobody needs to look at are left out. */
  readonly filter?: (change: Change<T>) => boolean;
  /** Waits before the key is worked on, so that changes which come together are seen together. */
  readonly delayMs?: number;
}

/** Keys of what changes in an informer: by default each object's own. Old and new form of an object count. */
export function informerSource<T extends ApiObject, K>(
  informer: Informer<T>,
  options: InformerSourceOptions<T, K> & { readonly keys: (object: T) => readonly K[] },
): Source<K>;
export function informerSource<T extends ApiObject>(
  informer: Informer<T>,
  options?: Omit<InformerSourceOptions<T, ObjectKey>, 'keys'>,
): Source<ObjectKey>;
export function informerSource<T extends ApiObject>(
  informer: Informer<T>,
  options: InformerSourceOptions<T, unknown> = {},
): Source<unknown> {
  const { keys = (object: T) => [objectKey(object)], filter = () => true, delayMs } = options;
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

/** The kind of owner whose keys a source of dependents adds. */
export interface OwnerKind {
  /** API group as served; versions do not matter, owners name the one that their writer knew. */
  readonly group: string;
  readonly kind: string;
  /** False: owners are objects of the cluster, whose keys have no namespace. */
  readonly namespaced: boolean;
}

/** Keys of the owners that look after what changes in an informer: a dependent that is lost brings its owner back to work. */
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
 * Keys of the objects of another informer that stand under a value of its index: for what refers to the objects that
 * change. Objects that arrive later than what they refer to come from a source of their own.
 */
export function indexSource<T extends ApiObject, U extends ApiObject>(
  informer: Informer<T>,
  referring: { readonly informer: Informer<U>; readonly index: string; values(object: T): readonly string[] },
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

/** Keys from time to time, from the start on, each time up to a tenth later by chance. */
export function periodicSource<K>(
  env: Pick<Env, 'clock' | 'random'>,
  intervalMs: number,
  keys: () => readonly K[],
): Source<K> {
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
