import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { Semaphore, yieldToEventLoop } from '@orch/machinery/concurrency';
import { KeyLoop } from '@orch/machinery/queue';
import type { InternalResource, ServedApi, ServerContext } from '@orch/registry';
import { finalizeDefinition } from './cleanup/finalize-definition.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { FollowedDefinitions } from './serving/followed-definitions.ts';
import type { ServedDefinitions } from './serving/served-definitions.ts';
import { DefinitionDecisions, groupOf } from './status/definition-decisions.ts';

/** Pause before the objects of a definition are examined again, while finalizers hold them. */
const CLEANUP_RETRY_MS = 1000;
/** A deletion takes as long as its objects take. */
const CLEANUP_DEADLINE_MS = 3_600_000;
/** Definitions whose status is written at a time. */
const WORKERS = 16;
/** Definitions whose objects are deleted at a time: most of a deletion waits for commits. */
const CLEANUP_WORKERS = 64;

export interface DefinitionControllerOptions {
  readonly context: ServerContext;
  readonly served: Pick<ServedApi, 'table'>;
  readonly definitions: ServedDefinitions;
}

/**
 * Follows the custom resource definitions of a cluster, on every replica: serves the resources of those that are
 * established, decides on names and conditions, and deletes the objects of definitions that are being deleted. All replicas
 * decide alike, and a decision that is written already is not written again.
 */
export class DefinitionController {
  readonly #context: ServerContext;
  readonly #table: ServedApi['table'];
  readonly #decisions: DefinitionDecisions;
  /** Undefined in a release or configuration that does not serve definitions. */
  readonly #resource: InternalResource<CustomResourceDefinition> | undefined;
  readonly #followed: FollowedDefinitions | undefined;
  readonly #loop: KeyLoop;
  readonly #cleanups: KeyLoop;
  readonly #examining = new Semaphore(1);
  readonly #groups = new KeyedMutex();

  constructor({ context, served, definitions }: DefinitionControllerOptions) {
    const { env, objects } = context;
    this.#context = context;
    this.#table = served.table;
    this.#decisions = new DefinitionDecisions(context, served);
    this.#resource = objects.resource('apiextensions', 'customresourcedefinitions');
    this.#loop = new KeyLoop({
      env,
      name: 'custom_resource_definitions',
      workers: WORKERS,
      failed: 'a custom resource definition could not be reconciled',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    this.#cleanups = new KeyLoop({
      env,
      name: 'custom_resource_cleanup',
      workers: CLEANUP_WORKERS,
      deadlineMs: CLEANUP_DEADLINE_MS,
      failed: 'the objects of a custom resource definition could not be deleted',
      reconcile: (name, signal) => this.#cleanUp(name, signal),
    });
    if (this.#resource === undefined) return;
    this.#followed = new FollowedDefinitions({
      context,
      resource: this.#resource,
      served: definitions,
      decisions: this.#decisions,
      undecided: (name) => this.#loop.add(name),
    });
  }

  /** Serves the definitions that the store has, before the watch cache runs: their objects are part of its first load. */
  async prime(signal: AbortSignal): Promise<void> {
    await this.#followed?.prime(signal);
  }

  /**
   * Resolves when everything is served that was established, on any replica, before the call. Undefined when this server has
   * no definitions.
   */
  catchUp(signal: AbortSignal): Promise<void> | undefined {
    return this.#resource?.cache
      .waitFresh({ kind: 'mostRecent' }, signal)
      .then(() => this.#followed?.serveChanged());
  }

  /** Follows the definitions until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const unfollow = this.#followed?.follow();
    if (unfollow === undefined) return;
    try {
      await Promise.all([this.#loop.run(signal), this.#cleanups.run(signal)]);
    } finally {
      await unfollow();
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    await this.#followed?.serveChanged();
    // One at a time: decoded definitions that wait would be moved among the old objects of the heap and stay there
    // for long.
    const release = await this.#examining.acquire(signal);
    const group = await this.#groupInNeed(name, signal).finally(release);
    if (group === undefined) return;
    // Names are granted one after another within a group, so that each decision sees the previous one.
    await this.#groups.run(group, () => this.#writeStatus(name, signal));
  }

  /** The group of a definition whose status has to be written; undefined otherwise. Its cleanup is started if it is due. */
  async #groupInNeed(name: string, signal: AbortSignal): Promise<string | undefined> {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const definition = this.#followed?.cached(name);
    if (definition === undefined) return undefined;
    if (this.#decisions.awaitsCleanup(definition)) {
      this.#cleanups.add(name);
      return undefined;
    }
    await this.#decisions.prepare(definition);
    return this.#decisions.hasStatus(definition) ? undefined : groupOf(definition);
  }

  async #writeStatus(name: string, signal: AbortSignal): Promise<void> {
    // This replica, or another one, may have granted names that the cache does not have yet.
    await this.catchUp(signal);
    await this.#resource?.change(
      { namespace: '', name },
      (current) => {
        if (current.metadata.deletionTimestamp === undefined)
          Object.assign(current, { status: this.#decisions.statusOf(current) });
      },
      signal,
    );
  }

  /** Deletes the objects of a definition, beside the reconciliation of other definitions. */
  async #cleanUp(name: string, signal: AbortSignal): Promise<number | undefined> {
    const definition = this.#followed?.cached(name);
    if (definition === undefined || !this.#decisions.awaitsCleanup(definition)) return undefined;
    const context = this.#context;
    const isDone = await finalizeDefinition({ context, definition, table: this.#table }, signal);
    return isDone ? undefined : CLEANUP_RETRY_MS;
  }
}
