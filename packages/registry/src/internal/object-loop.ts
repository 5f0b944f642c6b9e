import type { CachedObject } from '@orch/cache';
import { KeyLoop, type KeyLoopOptions } from '@orch/machinery/queue';
import { cachedObjects, followObjects } from './followed-objects.ts';
import type { InternalResource } from './internal-resource.ts';

/** Objects whose changes affect other objects. */
export interface RelatedObjects {
  readonly resource: InternalResource | undefined;
  /** The keys that are reconciled after a change of the object with this key, which is undefined when it was deleted. */
  readonly keysOf: (key: string, object: CachedObject | undefined) => Iterable<string>;
}

export interface ObjectLoopOptions extends Omit<KeyLoopOptions<string>, 'refill'> {
  /** The objects that are reconciled after each change, by their keys; undefined where the release does not serve them. */
  readonly resource?: InternalResource | undefined;
  /** Reports whether an object of the resource is reconciled; every one is when absent. */
  readonly includes?: (key: string, object: CachedObject | undefined) => boolean;
  readonly related?: readonly RelatedObjects[];
  /** Keys that are reconciled with all others, such as those of objects that may be gone. */
  readonly known?: () => Iterable<string>;
  /** Runs beside the loop: a lease by which one replica writes, for example. */
  readonly lease?: { run(signal: AbortSignal): Promise<void> };
}

/**
 * A control loop of the server: reconciles cached objects when they change, when related objects change, and all of them when
 * the cache was loaded or replaced. Keys may be added before `run`.
 */
export class ObjectLoop {
  readonly #options: ObjectLoopOptions;
  readonly #loop: KeyLoop;

  constructor(options: ObjectLoopOptions) {
    this.#options = options;
    this.#loop = new KeyLoop({ ...options, refill: () => this.addAll() });
  }

  /** Reconciles an object as soon as possible. */
  add(key: string): void {
    this.#loop.add(key);
  }

  /** Reconciles an object after a delay; the earliest of several delays applies. */
  addAfter(key: string, delayMs: number): void {
    this.#loop.addAfter(key, delayMs);
  }

  /** Reconciles all objects as soon as possible. */
  addAll(): void {
    const { resource, known } = this.#options;
    for (const key of known?.() ?? []) this.add(key);
    if (resource === undefined) return;
    for (const object of cachedObjects(resource) ?? []) this.#changed(object.key, object);
  }

  /** Reconciles objects until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stops = this.#follow();
    try {
      await Promise.all([this.#options.lease?.run(signal), this.#loop.run(signal)]);
    } finally {
      for (const stop of stops) stop();
    }
  }

  #follow(): readonly (() => void)[] {
    const { resource, related = [] } = this.#options;
    const replaced = (): void => this.addAll();
    const changed = (key: string, object: CachedObject | undefined): void => this.#changed(key, object);
    return [
      ...(resource === undefined ? [] : [followObjects(resource, { changed, replaced })]),
      ...related.flatMap((other) =>
        other.resource === undefined
          ? []
          : [followObjects(other.resource, { changed: this.#relatedChanged(other), replaced })],
      ),
    ];
  }

  #changed(key: string, object: CachedObject | undefined): void {
    if (this.#options.includes?.(key, object) ?? true) this.add(key);
  }

  #relatedChanged({ keysOf }: RelatedObjects) {
    return (key: string, object: CachedObject | undefined): void => {
      for (const affected of keysOf(key, object)) this.add(affected);
    };
  }
}
