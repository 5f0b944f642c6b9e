import { abandonMigration, BackupError, type MigrationProgress, migrateStore } from '@orch/backup';
import { type Clock, type Env, messageOf } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import { StartError } from '@orch/program';
import type { BodySink, Route } from '@orch/request';
import { type Backend, type Migration, type MovableStore, StoreError } from '@orch/storage';
import type { StoreSettings } from '../settings/store-settings.ts';
import type { MigrationReadiness } from './migration-readiness.ts';
import { neededMigrationTarget } from './migration-target.ts';
import { backendNameOf, openBackendOf, type Reloading } from './open-store.ts';

export interface MigrationRouteOptions {
  readonly store: MovableStore;
  readonly readiness: Pick<MigrationReadiness, 'check'>;
  readonly settings: Pick<StoreSettings, 'storePrefix'> & Parameters<typeof neededMigrationTarget>[0];
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl: URL | undefined;
  /** For the files of the other store. */
  readonly reloading: Reloading;
}

/**
 * The path at which a server moves its store (POST) or undoes a move that has not ended (DELETE). Only a rule for
 * non-resource URLs grants access. The operator of the server names the other store, never the request.
 */
export const MIGRATION_PATH = '/storage/migration';

/** The report of a migration to the store that servers use already, such as one that is repeated. */
export interface NothingMoved {
  readonly alreadyThere: string;
}

/** A line of the answer: the last one has the report or the error. */
export type MigrationLine =
  | { readonly progress: MigrationProgress }
  | { readonly report: unknown }
  | { readonly error: { readonly message: string; readonly isOutcomeUnknown: boolean } };

const PROGRESS_MS = 100;

/** A migration lasts as long as its request: when the client disconnects, it ends, and may be begun again. */
export function migrationRoute(options: MigrationRouteOptions): Route {
  let isRunning = false;
  return {
    path: MIGRATION_PATH,
    verbs: ['post', 'delete'],
    handle: ({ info }) => ({
      kind: 'stream',
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      async run(sink, { signal, draining }) {
        if (isRunning) {
          send(sink, failure('a migration is already running on this server'));
          return;
        }
        isRunning = true;
        try {
          using either = anySignal([signal, draining]);
          const report = await runMigration(
            options,
            { sink, isUndone: info.verb === 'delete' },
            either.signal,
          );
          send(sink, { report });
        } catch (error) {
          if (info.verb === 'post' && isAlreadyThere(error)) {
            send(sink, { report: { alreadyThere: error.message } satisfies NothingMoved });
            return;
          }
          options.env.log.warn('a migration has failed', { error: messageOf(error) });
          send(sink, failure(draining.aborted ? 'the server stops' : reasonOf(error), error));
        } finally {
          isRunning = false;
        }
      },
    }),
  };
}

const isAlreadyThere = (error: unknown): error is BackupError =>
  error instanceof BackupError && error.code === 'alreadyThere';

function send(sink: BodySink, line: MigrationLine): void {
  sink.write(Buffer.from(`${JSON.stringify(line)}\n`));
}

const failure = (message: string, error?: unknown): MigrationLine => ({
  error: { message, isOutcomeUnknown: error instanceof StoreError && error.code === 'outcomeUnknown' },
});

/** Details of other errors are for the log. */
const reasonOf = (error: unknown): string =>
  error instanceof BackupError || error instanceof StoreError || error instanceof StartError
    ? error.message
    : 'internal error: see the log of the server';

async function runMigration(
  options: MigrationRouteOptions,
  { sink, isUndone }: { readonly sink: BodySink; readonly isUndone: boolean },
  signal: AbortSignal,
): Promise<unknown> {
  const { store: source, settings, env, readiness } = options;
  const { storePrefix: prefix } = settings;
  const onProgress = throttled((progress) => send(sink, { progress }), env.clock);
  const target = await openTarget(options, signal);
  try {
    if (!isUndone) {
      const checkServers = (migration: Migration, stop: AbortSignal): Promise<void> =>
        readiness.check(migration, target, stop);
      return await migrateStore({ source, target, prefix, env, onProgress, checkServers }, signal);
    }
    const id = `undone by ${env.random.uuid()}`;
    const onDeleted = (done: number): void => onProgress({ phase: 'undo', done, total: 0 });
    return await abandonMigration({ source, target, prefix, id, onProgress: onDeleted }, signal);
  } finally {
    if (source.place.backend !== target) await target.store.close();
  }
}

async function openTarget(
  { store, settings, env, workerUrl, reloading }: MigrationRouteOptions,
  signal: AbortSignal,
): Promise<Backend> {
  const target = neededMigrationTarget(settings);
  const name = backendNameOf(target);
  if (name === store.place.backend.name) throw new BackupError('alreadyThere', `servers already use ${name}`);
  // The store before an earlier migration may be the target of this one.
  await store.closeEarlier();
  return openBackendOf(target, { env, workerUrl, reloading, signal });
}

/** Passes on what arrives some time after the last one, and the first of each phase. */
function throttled(
  pass: (progress: MigrationProgress) => void,
  clock: Pick<Clock, 'monotonic'>,
): (progress: MigrationProgress) => void {
  let passedAt = Number.NEGATIVE_INFINITY;
  let phase = '';
  return (progress) => {
    const now = clock.monotonic();
    if (progress.phase === phase && now - passedAt < PROGRESS_MS) return;
    [passedAt, phase] = [now, progress.phase];
    pass(progress);
  };
}
