import type { CachedObject } from '@orch/cache';
import {
  type ApiObject,
  asText,
  Backoff,
  deferred,
  formatTime,
  messageOf,
  Semaphore,
  specOf,
  statusOf,
  Turns,
} from '@orch/machinery';
import { everythingFilter, type InternalResource, type ServedApi, type ServerContext } from '@orch/registry';
import type { KnownDefinition } from './definition-guard.ts';
import { definitionStatus } from './definition-status.ts';
import { awaitsCleanup, finalizeDefinition } from './finalize-definition.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { ServedDefinitions } from './served-definitions.ts';
import { StructureChecks } from './structure-checks.ts';
import { GrantedNames } from './taken-names.ts';

/** Definitions are served for this long before other work of this thread gets its turn. */
const SLICE_MS = 2;
/** Definitions that are served at the start before other work gets its turn. */
const PRIMED_AT_A_TIME = 8;
/** Pause before the objects of a definition are examined again, while finalizers hold them. */
const CLEANUP_RETRY_MS = 1000;
/** Definitions whose status is written at a time. */
const CONCURRENCY = 16;
const RETRY_MS = 50;
const MAX_RETRY_MS = 10_000;

export interface DefinitionControllerOptions {
  readonly context: ServerContext;
  readonly served: Pick<ServedApi, 'table'>;
  readonly definitions: ServedDefinitions;
}

const never = new AbortController().signal;

const groupOf = (definition: ApiObject): string => asText(specOf(definition)['group']);

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Follows the custom resource definitions of a cluster, on every replica: serves the resources of those that are
 * established, decides on names and conditions, and deletes the objects of definitions that are being deleted. All replicas
 * decide alike, and a decision that is written already is not written again.
 */
export class DefinitionController {
  readonly #context: ServerContext;
  readonly #served: ServedDefinitions;
  readonly #granted: GrantedNames;
  readonly #table: ServedApi['table'];
  readonly #structure: StructureChecks;
  readonly #turns: Turns;
  readonly #backoff = new Map<string, Backoff>();
  /** Changed definitions that are not served as they are yet. */
  readonly #changed = new Set<string>();
  /** Revisions of the definitions that are served as they are: they need not be decoded again. */
  readonly #applied = new Map<string, CachedObject['rev']>();
  /** Definitions whose status or deletion has to be looked at. */
  readonly #due = new Set<string>();
  readonly #examining = new Semaphore(1);
  readonly #groups = new KeyedMutex();
  readonly #cleanups = new Map<string, Promise<void>>();
  readonly #changedDuringCleanup = new Set<string>();
  #resource: InternalResource | undefined;
  #catchingUp: Promise<void> | undefined;
  #wake = deferred<void>();

  constructor({ context, served, definitions }: DefinitionControllerOptions) {
    this.#context = context;
    this.#served = definitions;
    this.#granted = new GrantedNames(served);
    this.#table = served.table;
    this.#structure = new StructureChecks(context.names);
    this.#turns = new Turns(context.env.clock);
  }

  /** Serves the definitions that the store has, before the watch cache runs: their objects are part of its first load. */
  async prime(signal: AbortSignal): Promise<void> {
    const definitions = this.#definitions;
    if (definitions === undefined) return;
    // One at a time: all of them decoded take many times the memory of what is served.
    for await (const [name, known] of definitions.readEach(signal)) {
      if (known.object.metadata.name !== name) continue;
      this.#apply(name, known);
      if (this.#served.size % PRIMED_AT_A_TIME === 0) await nextTurn();
    }
  }

  /**
   * Resolves when everything is served that was established, on any replica, before the call. Undefined when this server has
   * no definitions.
   */
  catchUp(signal: AbortSignal): Promise<void> | undefined {
    return this.#definitions?.cache
      .waitFresh({ kind: 'mostRecent' }, signal)
      .then(() => this.#serveChanged());
  }

  /** Follows the definitions until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const definitions = this.#definitions;
    if (definitions === undefined) return;
    const { cache } = definitions;
    const unsubscribe = cache.subscribe({
      changed: (key) => this.#change(key),
      replaced: () => this.#enqueueAll(definitions),
    });
    const wake = (): void => this.#wake.resolve();
    signal.addEventListener('abort', wake, { once: true });
    try {
      // Before the first load nothing is known, and what is served stays so.
      if (cache.revision() > 0) this.#enqueueAll(definitions);
      while (!signal.aborted) {
        await this.#wake.promise;
        this.#wake = deferred();
        await this.#serveChanged();
        await this.#reconcileDue(signal);
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', wake);
      await Promise.allSettled(this.#cleanups.values());
    }
  }

  /** Undefined in a release or configuration that does not serve definitions. */
  get #definitions(): InternalResource | undefined {
    this.#resource ??= this.#context.objects.resource('apiextensions', 'customresourcedefinitions');
    return this.#resource;
  }

  #enqueue(name: string): void {
    this.#changed.add(name);
    this.#due.add(name);
    this.#wake.resolve();
  }

  /**
   * A definition that is served takes effect before the next event of the store: that may be of an object in a version which
   * the definition has from now on. Others are served in slices.
   */
  #change(name: string): void {
    this.#enqueue(name);
    if (!this.#served.has(name)) return;
    this.#changed.delete(name);
    this.#serve(name);
  }

  #enqueueAll({ cache }: InternalResource): void {
    for (const name of this.#granted.names()) this.#enqueue(name);
    const page = cache.list({ scope: { prefix: '' }, filter: everythingFilter }, never);
    if (page instanceof Promise) return;
    for (const { key } of page.objects) this.#enqueue(key);
  }

  /** Brings what is served in line with the cached definitions. Concurrent callers share one run. */
  #serveChanged(): Promise<void> | undefined {
    if (this.#changed.size === 0) return this.#catchingUp;
    this.#catchingUp ??= this.#serveInSlices().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #serveInSlices(): Promise<void> {
    const { clock } = this.#context.env;
    let until = clock.monotonic() + SLICE_MS;
    for (const name of this.#changed) {
      this.#changed.delete(name);
      this.#serve(name);
      if (clock.monotonic() < until) continue;
      await nextTurn();
      until = clock.monotonic() + SLICE_MS;
    }
  }

  #serve(name: string): void {
    const cached = this.#definitions?.cache.get(name);
    // What is served stays so: a kind that is gone would be taken for one without objects.
    if (cached?.corrupt === true) return;
    const revision = cached?.rev;
    if (revision !== undefined && this.#applied.get(name) === revision) return;
    const known = this.#definitions?.cachedState({ namespace: '', name });
    try {
      if (known !== undefined) this.#apply(name, known);
      else {
        this.#applied.delete(name);
        this.#structure.delete(name);
        // Names that it had are free for others of its group.
        for (const other of this.#granted.delete(name)) this.#makeDue(other);
        this.#served.remove(name);
      }
    } catch (cause) {
      this.#context.env.log.error('a custom resource definition cannot be served', {
        definition: name,
        error: messageOf(cause),
      });
    }
  }

  #apply(name: string, known: KnownDefinition): void {
    for (const other of this.#granted.set(name, known.object)) this.#makeDue(other);
    const key = this.#definitions?.storeKeyOf({ namespace: '', name });
    if (key !== undefined) this.#served.apply(known, key);
    this.#applied.set(name, known.revision);
    // Most changes need no decision: those of labels, and those of the status by which a decision was written.
    if (this.#isDecided(known.object)) this.#due.delete(name);
  }

  /** Whether there is nothing to write about a definition, or to delete, as far as this is known without a long check. */
  #isDecided(definition: ApiObject): boolean {
    const { finalizers } = this.#context.names;
    return (
      this.#structure.has(definition) &&
      !awaitsCleanup(definition, finalizers.crdCleanup) &&
      this.#statusOf(definition) === statusOf(definition)
    );
  }

  #cached(name: string): ApiObject | undefined {
    return this.#definitions?.cached({ namespace: '', name });
  }

  /** Reconciles some definitions at a time, so that the store commits their writes together. */
  async #reconcileDue(signal: AbortSignal): Promise<void> {
    const worker = async (): Promise<void> => {
      for (const name of this.#due) {
        if (signal.aborted) return;
        this.#due.delete(name);
        await this.#tryReconcile(name, signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, this.#due.size) }, worker));
  }

  async #tryReconcile(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#reconcile(name, signal);
      this.#backoff.delete(name);
    } catch (cause) {
      this.#retry(name, cause, signal);
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<void> {
    // One at a time: decoded definitions that wait would be moved among the old objects of the heap, and stay long.
    const release = await this.#examining.acquire(signal);
    const group = await this.#groupInNeed(name, signal).finally(release);
    if (group === undefined) return;
    // Names are granted one after another within a group: each decision sees the one before.
    await this.#groups.run(group, () => this.#writeStatus(name, signal));
  }

  /** The group of a definition whose status has to be written; undefined otherwise. Its cleanup is started if it is due. */
  async #groupInNeed(name: string, signal: AbortSignal): Promise<string | undefined> {
    await nextTurn();
    signal.throwIfAborted();
    const definition = this.#cached(name);
    if (definition === undefined) return undefined;
    if (awaitsCleanup(definition, this.#context.names.finalizers.crdCleanup)) {
      this.#cleanUp(name, definition, signal);
      return undefined;
    }
    await this.#structure.prepare(definition, this.#turns);
    return this.#statusOf(definition) === statusOf(definition) ? undefined : groupOf(definition);
  }

  async #writeStatus(name: string, signal: AbortSignal): Promise<void> {
    // This replica, or another one, may have granted names that the cache does not have yet.
    await this.#definitions?.cache.waitFresh({ kind: 'mostRecent' }, signal);
    await this.#serveChanged();
    await this.#definitions?.change(
      { namespace: '', name },
      (current) => {
        if (current.metadata.deletionTimestamp === undefined) current['status'] = this.#statusOf(current);
      },
      signal,
    );
  }

  #statusOf(definition: ApiObject): unknown {
    const { names, env } = this.#context;
    const { name = '' } = definition.metadata;
    return definitionStatus(definition, {
      names,
      now: formatTime(env.clock.now()),
      taken: this.#granted.takenFrom(name, groupOf(definition)),
      structure: this.#structure,
    });
  }

  /** Runs beside the reconciliation of other definitions: a deletion takes as long as the objects take. */
  #cleanUp(name: string, definition: ApiObject, signal: AbortSignal): void {
    if (this.#cleanups.has(name)) {
      this.#changedDuringCleanup.add(name);
      return;
    }
    const context = this.#context;
    const cleanup = finalizeDefinition({ context, definition, table: this.#table }, signal).then(
      (isDone) => {
        if (!isDone) this.#schedule(name, CLEANUP_RETRY_MS);
      },
      (cause: unknown) => this.#retry(name, cause, signal),
    );
    this.#cleanups.set(
      name,
      cleanup.finally(() => {
        this.#cleanups.delete(name);
        if (this.#changedDuringCleanup.delete(name)) this.#makeDue(name);
      }),
    );
  }

  #retry(name: string, cause: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { env } = this.#context;
    env.log.warn('a custom resource definition could not be reconciled', {
      definition: name,
      error: messageOf(cause),
    });
    const backoff = this.#backoff.get(name) ?? new Backoff(env, RETRY_MS, MAX_RETRY_MS);
    this.#backoff.set(name, backoff);
    backoff.wait(signal).then(
      () => this.#makeDue(name),
      () => undefined,
    );
  }

  #schedule(name: string, delayMs: number): void {
    this.#context.env.clock.schedule(delayMs, () => this.#makeDue(name));
  }

  #makeDue(name: string): void {
    this.#due.add(name);
    this.#wake.resolve();
  }
}
