import type { CachedObject } from '@orch/cache';
import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { messageOf } from '@orch/machinery';
import { yieldToEventLoop } from '@orch/machinery/concurrency';
import { cachedObjects, followObjects, type InternalResource, type ServerContext } from '@orch/registry';
import type { DefinitionDecisions } from '../status/definition-decisions.ts';
import type { KnownDefinition } from './definition-guard.ts';
import type { ServedDefinitions } from './served-definitions.ts';

/** Definitions are served for this long before other work of this thread gets its turn. */
const SLICE_MS = 2;
/** Definitions that are served at the start before other work gets its turn. */
const PRIMED_AT_A_TIME = 8;

export interface FollowedDefinitionsOptions {
  readonly context: Pick<ServerContext, 'env'>;
  readonly resource: InternalResource<CustomResourceDefinition>;
  readonly served: ServedDefinitions;
  readonly decisions: DefinitionDecisions;
  /** Called with the name of a definition about which a decision may have to be written, after it is served. */
  readonly undecided: (name: string) => void;
}

/** Keeps the served resources in step with the cached definitions. */
export class FollowedDefinitions {
  readonly #options: FollowedDefinitionsOptions;
  readonly #resource: InternalResource<CustomResourceDefinition>;
  /** Changed definitions that are not served as they are yet. */
  readonly #changed = new Set<string>();
  /** Revisions of the definitions that are served as they are now, so that they need not be decoded again. */
  readonly #applied = new Map<string, CachedObject['rev']>();
  #serving: Promise<void> | undefined;

  constructor(options: FollowedDefinitionsOptions) {
    this.#options = options;
    this.#resource = options.resource;
  }

  /** Serves the definitions that the store has, before the watch cache runs: their objects are part of its first load. */
  async prime(signal: AbortSignal): Promise<void> {
    const { served } = this.#options;
    // One at a time: all of them decoded take many times the memory of the served ones.
    for await (const [name, known] of this.#resource.readEach(signal)) {
      if (known.object.metadata.name !== name) continue;
      this.#apply(name, known);
      if (served.size % PRIMED_AT_A_TIME === 0) await yieldToEventLoop();
    }
  }

  /** Serves the definitions as they change, until the returned function is called. */
  follow(): () => Promise<void> {
    // Nothing is known before the first load, so the served resources stay.
    const unfollow = followObjects(this.#resource, {
      changed: (name) => this.#change(name),
      replaced: () => this.#replaced(),
    });
    return async () => {
      unfollow();
      await this.#serving;
    };
  }

  /** Resolves when the cached definitions are served as they are. Concurrent callers share one run. */
  serveChanged(): Promise<void> | undefined {
    if (this.#changed.size > 0) this.#serving ??= this.#serveInSlices();
    return this.#serving;
  }

  cached(name: string): CustomResourceDefinition | undefined {
    return this.#resource.cached({ namespace: '', name });
  }

  /**
   * A definition that is served takes effect before the next event of the store: that may be of an object in a version which
   * the definition has from now on. Others are served in slices.
   */
  #change(name: string): void {
    if (this.#options.served.has(name)) {
      this.#changed.delete(name);
      this.#serve(name);
    } else {
      this.#changed.add(name);
      void this.serveChanged();
    }
  }

  #replaced(): void {
    const { decisions, undecided } = this.#options;
    const present = cachedObjects(this.#resource) ?? [];
    for (const name of new Set([...decisions.names(), ...present.map(({ key }) => key)])) {
      this.#changed.add(name);
      undecided(name);
    }
    void this.serveChanged();
  }

  async #serveInSlices(): Promise<void> {
    // The caller may be a change of the cache, which must be fast.
    await undefined;
    const { clock } = this.#options.context.env;
    let until = clock.monotonic() + SLICE_MS;
    for (const name of this.#changed) {
      this.#changed.delete(name);
      this.#serve(name);
      if (clock.monotonic() < until) continue;
      await yieldToEventLoop();
      until = clock.monotonic() + SLICE_MS;
    }
    this.#serving = undefined;
  }

  /** Never throws: it runs within the change of the cache. */
  #serve(name: string): void {
    const cached = this.#resource.cache.get(name);
    // Served kinds stay served: a kind that is missing would be taken for one without objects.
    if (cached?.corrupt === true) return;
    const revision = cached?.rev;
    if (revision !== undefined && this.#applied.get(name) === revision) return;
    const known = this.#resource.cachedState({ namespace: '', name });
    const { decisions, undecided, context } = this.#options;
    try {
      if (known === undefined) this.#remove(name);
      else {
        this.#apply(name, known);
        // Most changes need no decision: those of labels, and those of the status by which a decision was written.
        if (!decisions.isDecided(known.object)) undecided(name);
      }
    } catch (cause) {
      const why = { definition: name, error: messageOf(cause) };
      context.env.log.error('a custom resource definition cannot be served', why);
      undecided(name);
    }
  }

  #apply(name: string, known: KnownDefinition): void {
    const { served, decisions, undecided } = this.#options;
    for (const other of decisions.record(name, known.object)) undecided(other);
    served.apply(known, this.#resource.storeKeyOf({ namespace: '', name }));
    this.#applied.set(name, known.revision);
  }

  #remove(name: string): void {
    const { served, decisions, undecided } = this.#options;
    this.#applied.delete(name);
    // The names that it had are available to others of its group.
    for (const other of decisions.forget(name)) undecided(other);
    served.remove(name);
  }
}
