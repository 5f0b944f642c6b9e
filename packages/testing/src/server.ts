import { type ApiServerHost, type RunningApiServer, runApiServer, type Settings } from '@orch/apiserver';
import type { Moment } from '@orch/controllers';
import type { Env } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { createMetrics, silentLogger, systemRandom } from '@orch/machinery/env';
import { Pauses, runControllers } from '@orch/orch/parts';
import { buildFacts } from '@orch/program';
import { ObservedWork } from './expect/observed-work.ts';
import type { PlaneFlags } from './flags-of.ts';
import { ForeignWrites } from './foreign-writes.ts';
import type { MemoryStore } from './memory-store.ts';
import { MovableClock } from './movable-clock.ts';

/** The environment of a control plane: a clock that tests move, random numbers of the system, no log, and its queues. */
export interface PlaneEnv extends Env {
  readonly clock: MovableClock;
  readonly work: ObservedWork;
}

export function planeEnv(): PlaneEnv {
  const work = new ObservedWork();
  return {
    clock: new MovableClock(() => work.isBusy),
    random: systemRandom,
    log: silentLogger,
    metrics: createMetrics(),
    work,
  };
}

/** A part of a control plane that runs until it is stopped. */
export interface RunningPart {
  /** Rejects with the failure of the part. */
  stop(): Promise<void>;
}

/** A server that runs until it is stopped, and the requests that it has got. */
export interface ServerPart extends RunningPart {
  readonly running: RunningApiServer;
  readonly foreignWrites: ForeignWrites;
}

/** Starts an API server over a store; resolves when it is ready. Rejects with a `StartError`. */
export async function startServer(
  settings: Settings,
  {
    store,
    env,
    opensPort,
  }: Pick<ApiServerHost, 'env'> & {
    readonly store: MemoryStore;
    readonly opensPort: boolean;
  },
): Promise<ServerPart> {
  const stop = new AbortController();
  const ready = deferred<RunningApiServer>();
  const foreignWrites = new ForeignWrites();
  const host: ApiServerHost = {
    env,
    droppedLogLines: () => 0,
    verbosity: { level: 0 },
    build: buildFacts(),
    openStore: async () => store,
    opensPort,
    loopbackUser: settings.names.users.controllerManager,
    onRequest: foreignWrites.observe,
    onReady: ready.resolve,
  };
  const ended = runApiServer(settings, host, stop.signal);
  ended.catch(ready.reject);
  const running = await ready.promise;
  return {
    running,
    foreignWrites,
    async stop() {
      stop.abort(new Error('the control plane is stopped'));
      await ended;
    },
  };
}

/** A namespace is examined after this time, longer than a write that the server has begun takes, or once the server is idle. */
const FINALIZE_DELAY_MS = 20;

/** Delay of the pod of a job after a failed one: a test does not wait ten seconds, nor for other pods that may end. */
const JOB_BACKOFF_MS = 100;

/** The controllers of a control plane. */
export interface RunningControllers extends RunningPart {
  /** Ends their work, while their informers follow the server. */
  pause(): Promise<void>;
  /** Builds them again: they remember nothing. */
  resume(): void;
  /** Whether each of them has read the initial objects. */
  haveStarted(): boolean;
  /** Whether all informers have the changes up to a moment. */
  haveReached(moment: Moment): boolean;
}

/** Starts the controllers against a server of this process. */
export function startControllers(
  {
    settings,
    flags,
    env,
  }: { readonly settings: Settings; readonly flags: PlaneFlags; readonly env: ApiServerHost['env'] },
  { running: { loopback, own, inflight }, foreignWrites }: Pick<ServerPart, 'running' | 'foreignWrites'>,
): RunningControllers {
  if (loopback === undefined) throw new TypeError('the server has no loopback transport');
  const stop = new AbortController();
  const pauses = new Pauses();
  let states = { haveStarted: false };
  const part = {
    env,
    settings,
    flags,
    version: buildFacts().version,
    server: { loopback: foreignWrites.withoutThoseOf(loopback), own },
    namespace: {
      finalizeDelayMs: FINALIZE_DELAY_MS,
      // The requests of other threads are not counted.
      ...(settings.flags.threads === 1 && { isServerIdle: () => inflight() === 0 }),
    },
    jobs: { backoffMs: JOB_BACKOFF_MS, batchMs: 0 },
    pauses,
    onHealth(_health: unknown, given: { readonly haveStarted: boolean }) {
      states = given;
    },
  };
  const ended = runControllers(part, stop.signal);
  // Reported by `stop`: until then, a failure is not unhandled.
  ended.catch(() => undefined);
  return {
    pause: () => pauses.pause(),
    resume: () => pauses.resume(),
    haveStarted: () => states.haveStarted,
    haveReached: (moment) => pauses.haveReached(moment),
    async stop() {
      stop.abort(new Error('the control plane is stopped'));
      await ended.catch((error: unknown) => {
        if (error !== stop.signal.reason) throw error;
      });
    },
  };
}
