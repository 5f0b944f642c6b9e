import {
  type Client,
  type Controller,
  type ControllerContext,
  controller,
  type DiscoverySnapshot,
  isBeingDeleted,
  type Reconciled,
  type ResourceClient,
  typed,
} from '@orch/client';
import { ApiError, type Env, messageOf } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import { jsonEquals } from '@orch/machinery/json';
import { formatTime, timeMs } from '@orch/machinery/time';
import { servedSource } from '../api/served-source.ts';
import { ignoreReasons, preconditionsOf } from '../api/writes.ts';
import { conditionsIn, isFinished, type State } from './conditions.ts';
import { readDefinition, reduceStoredVersions } from './definition.ts';
import { currentVersion, pageAt } from './object-pages.ts';
import { Pace } from './pace.ts';
import {
  continueTokenOf,
  type DefinitionState,
  describeProgress,
  type Migration,
  noProgress,
  type Progress,
  progressAnnotations,
  progressOf,
} from './progress.ts';
import { storeAgain } from './store-again.ts';
import { findTarget, type Target } from './target.ts';

/** Migrations that advance at the same time; the rate of writes is that of all together. */
const CONCURRENCY = 4;
const WRITES_IN_FLIGHT = 8;
/** A page of objects that a slow webhook converts takes longer than the usual reconciliation. */
const DEADLINE_MS = 1_800_000;
/** A resource may be defined shortly after its migration, as in one manifest. */
const ABSENT_MS = 60_000;
const LOOK_AGAIN_MS = 2000;
/** Time within which all servers observe a changed definition. */
const SETTLE_MS = 5000;
/** Objects that the server may refuse before the migration ends. */
const MAX_REFUSED = 10;

export interface StorageVersionMigratorOptions {
  /** Objects that are stored again per second, of all migrations together. */
  readonly writesPerSecond: number;
  /** Time that a definition must be unchanged before its objects are migrated; five seconds when absent. */
  readonly settleMs?: number;
}

/** Stores the objects of resources again, in their storage version. */
export function storageVersionMigratorController(
  context: ControllerContext,
  options: StorageVersionMigratorOptions,
): Controller {
  const migrator = new Migrator(context, options);
  return controller({
    name: 'storage-version-migrator-controller',
    concurrency: CONCURRENCY,
    deadlineMs: DEADLINE_MS,
    sources: [servedSource(context, migrator.served)],
    reconcile: (name, signal) => migrator.reconcile(name, signal),
  });
}

type Found = Extract<Target, { readonly kind: 'found' }>;

/** A change of the status of a migration. */
interface Report {
  readonly state: State;
  readonly message: string;
  readonly resourceVersion?: string;
  readonly progress?: Progress;
  readonly token?: string;
}

/** A definition, and since when it is known to be unchanged. */
interface Settling {
  readonly definition: DefinitionState;
  readonly sinceMs: number;
}

class Migrator {
  /** The versions of migrations, of which one is served. */
  readonly served: Parameters<typeof servedSource<Migration>>[1];
  #api: ResourceClient<Migration>;
  readonly #client: Client;
  readonly #env: Env;
  readonly #settleMs: number;
  readonly #pace: Pace;
  readonly #permits = new Semaphore(WRITES_IN_FLIGHT);
  /** Migrations that have not begun because their definition may have changed lately, by name. */
  readonly #settling = new Map<string, Settling>();

  constructor({ client, env }: ControllerContext, options: StorageVersionMigratorOptions) {
    const { v1, v1beta1 } = typed(client).storagemigration;
    const clients = [v1.storageversionmigrations, v1beta1.storageversionmigrations];
    this.#api = v1.storageversionmigrations;
    this.served = {
      versions: clients.map(({ resource }) => resource),
      onServed: (version) => {
        this.#api = clients.find(({ resource }) => resource === version) ?? this.#api;
      },
    };
    this.#client = client;
    this.#env = env;
    this.#settleMs = options.settleMs ?? SETTLE_MS;
    this.#pace = new Pace(env.clock, options.writesPerSecond);
  }

  /** Advances a migration by one page. The current object is read, since an informer may lag behind own writes. */
  async reconcile(name: string, signal: AbortSignal): Promise<Reconciled> {
    const migration = await ignoreReasons(['NotFound'], () => this.#api.get(name, {}, signal));
    if (migration === undefined || isFinished(migration) || isBeingDeleted(migration)) {
      this.#settling.delete(name);
      return {};
    }
    try {
      return await this.#advance(migration, signal);
    } catch (error) {
      if (!signal.aborted && !isConflict(error)) await this.#reportFailure(migration, error, signal);
      throw error;
    }
  }

  async #advance(migration: Migration, signal: AbortSignal): Promise<Reconciled> {
    const { definition } = progressOf(migration, this.#client.names);
    const target = await findTarget(this.#client, migration, definition, signal);
    switch (target.kind) {
      case 'absent':
        return await this.#awaitResource(migration, target.why, signal);
      case 'unsuitable':
        return await this.#end(migration, { state: 'failed', message: target.why }, signal);
      case 'found':
        return (migration.status?.resourceVersion ?? '') === ''
          ? await this.#begin(migration, target, signal)
          : await this.#migratePage(migration, target, signal);
    }
  }

  async #awaitResource(migration: Migration, why: string, signal: AbortSignal): Promise<Reconciled> {
    const createdMs = timeMs(migration.metadata.creationTimestamp ?? '') ?? 0;
    if (createdMs + ABSENT_MS <= this.#env.clock.now())
      return await this.#end(migration, { state: 'failed', message: why }, signal);
    await this.#write(migration, { state: 'waiting', message: why }, signal);
    return { requeueAfterMs: LOOK_AGAIN_MS };
  }

  /** Records the state of the store from which on all objects are written in the storage version. */
  async #begin(
    migration: Migration,
    { resource, snapshot }: Found,
    signal: AbortSignal,
  ): Promise<Reconciled> {
    const definition = await readDefinition(this.#client, { migration, snapshot }, signal);
    const waitMs = this.#settlesInMs(migration.metadata.name ?? '', definition);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    const progress = { ...noProgress, ...(definition === undefined ? {} : { definition }) };
    const resourceVersion = await currentVersion(this.#client.metadata(resource), signal);
    const message = describeProgress(progress);
    await this.#write(migration, { state: 'running', message, resourceVersion, progress }, signal);
    this.#settling.delete(migration.metadata.name ?? '');
    return { requeueAfterMs: 0 };
  }

  #settlesInMs(name: string, definition: DefinitionState | undefined): number {
    if (definition === undefined) return 0;
    const now = this.#env.clock.monotonic();
    const known = this.#settling.get(name);
    if (known !== undefined && jsonEquals(known.definition, definition))
      return known.sinceMs + this.#settleMs - now;
    this.#settling.set(name, { definition, sinceMs: now });
    return this.#settleMs;
  }

  async #migratePage(migration: Migration, target: Found, signal: AbortSignal): Promise<Reconciled> {
    const { names } = this.#client;
    const objects = this.#client.metadata(target.resource);
    const page = await pageAt(objects, continueTokenOf(migration, names), signal);
    const progress = await storeAgain(
      { objects, permits: this.#permits, pace: this.#pace },
      {
        items: page.items.map(({ metadata }) => metadata),
        since: migration.status?.resourceVersion ?? '',
        before: progressOf(migration, names),
      },
      signal,
    );
    const token = page.metadata.continue ?? '';
    const message = describeProgress(progress);
    if (progress.refused >= MAX_REFUSED || (token === '' && progress.refused > 0))
      return await this.#end(migration, { state: 'failed', message, progress }, signal);
    if (token === '') return await this.#succeed(migration, { progress, snapshot: target.snapshot }, signal);
    await this.#write(migration, { state: 'running', message, progress, token }, signal);
    return { requeueAfterMs: 0 };
  }

  async #succeed(
    migration: Migration,
    { progress, snapshot }: { readonly progress: Progress; readonly snapshot: DiscoverySnapshot },
    signal: AbortSignal,
  ): Promise<Reconciled> {
    const { definition } = progress;
    const isReduced =
      definition === undefined ||
      (await reduceStoredVersions(this.#client, definition, { migration, snapshot }, signal));
    const message = isReduced
      ? describeProgress(progress)
      : `${describeProgress(progress)}; the definition was changed meanwhile: its status.storedVersions is not reduced, which another migration can do`;
    return await this.#end(migration, { state: 'succeeded', message, progress }, signal);
  }

  async #end(migration: Migration, report: Report, signal: AbortSignal): Promise<Reconciled> {
    await this.#write(migration, report, signal);
    this.#env.log.info('storage version migration ended', {
      migration: migration.metadata.name ?? '',
      state: report.state,
      message: report.message,
    });
    return {};
  }

  /** The failure is the reason of the next attempt, and is logged there. A failure to report it adds nothing. */
  async #reportFailure(migration: Migration, error: unknown, signal: AbortSignal): Promise<void> {
    const progress = progressOf(migration, this.#client.names);
    const token = continueTokenOf(migration, this.#client.names);
    const message = `${describeProgress(progress)}; to be retried: ${messageOf(error)}`;
    const report = {
      state: 'running',
      message,
      progress,
      ...(token === undefined ? {} : { token }),
    } as const;
    await this.#write(migration, report, signal).catch(() => undefined);
  }

  async #write(migration: Migration, report: Report, signal: AbortSignal): Promise<void> {
    const { state, message, progress, token, resourceVersion } = report;
    const { metadata, status } = migration;
    const conditions = conditionsIn(migration, state, { message, now: formatTime(this.#env.clock.now()) });
    const annotations =
      progress === undefined ? {} : progressAnnotations(this.#client.names, progress, token);
    const isRecorded = Object.entries(annotations).every(
      ([key, value]) => (metadata.annotations?.[key] ?? null) === value,
    );
    if (isRecorded && jsonEquals(conditions, status?.conditions)) return;
    const patch = {
      metadata: { ...preconditionsOf(metadata), annotations },
      status: { conditions, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    };
    await this.#api.subresource('status').patch.merge(metadata.name ?? '', patch, {}, signal);
  }
}

/** Another write came first: the next attempt reads its result. */
const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status.code === 409;
