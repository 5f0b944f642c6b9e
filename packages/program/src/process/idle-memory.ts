import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import type { Clock } from '@orch/machinery';

/** Interval between samples of the event loop utilization. */
const CHECK_MS = 1000;
/** Utilization of the event loop above which a process is busy, and below which it is idle. */
const BUSY_SHARE = 0.2;
const IDLE_SHARE = 0.05;
/** Number of consecutive idle samples after which the work is over. */
const IDLE_CHECKS = 2;
/** The collector checks for idle time every 8 seconds, and collects a second time soon after the first. */
const COLLECTING_MS = 20_000;
/** The first major version of V8 with this mode; other versions report an unknown flag. */
const V8_WITH_MEMORY_SAVER = 13;

/** The runtime as `reclaimIdleMemory` uses it. */
export interface IdleRuntime {
  /** Utilization of the event loop since the last call. */
  utilization(): number;
  /** Makes the collector prefer less memory to less work, or the reverse. */
  saveMemory(on: boolean): void;
}

/**
 * The thread that calls it, or all threads of the process: the mode is that of the process. Undefined when the runtime does not have
 * this mode.
 */
export function idleRuntime(of: 'thread' | 'process' = 'thread'): IdleRuntime | undefined {
  if (Number.parseInt(process.versions.v8, 10) < V8_WITH_MEMORY_SAVER) return undefined;
  const saveMemory = (on: boolean): void =>
    setFlagsFromString(on ? '--memory-saver-mode' : '--no-memory-saver-mode');
  return { utilization: of === 'thread' ? threadUtilization() : processUtilization(), saveMemory };
}

/** The share of a core that the process has used since the last call, an interval ago. */
function processUtilization(): () => number {
  let last = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    return (user + system) / (CHECK_MS * 1000);
  };
}

function threadUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/**
 * Returns unused memory to the system once the process is idle, until it is disposed. V8 does so only in small steps,
 * and only while it considers the process idle, which a process that allocates nothing never is. In its memory saving
 * mode it collects regardless; the mode is on only for some seconds after work, since collections would take a fifth of
 * the CPU of a busy process.
 */
export function reclaimIdleMemory(
  clock: Pick<Clock, 'monotonic' | 'schedule'>,
  runtime: IdleRuntime | undefined = idleRuntime(),
): Disposable {
  if (runtime === undefined) return { [Symbol.dispose]: () => undefined };
  const reclaim = new IdleReclaim(clock, runtime);
  let cancel = clock.schedule(CHECK_MS, function check() {
    reclaim.check();
    cancel = clock.schedule(CHECK_MS, check);
  });
  return {
    [Symbol.dispose]() {
      cancel();
      reclaim.stop();
    },
  };
}

class IdleReclaim {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #runtime: IdleRuntime;
  /** There was work since the last collection. */
  #worked = false;
  #idleChecks = 0;
  #collectingSince: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, runtime: IdleRuntime) {
    this.#clock = clock;
    this.#runtime = runtime;
  }

  check(): void {
    const share = this.#runtime.utilization();
    this.#idleChecks = share < IDLE_SHARE ? this.#idleChecks + 1 : 0;
    if (share >= BUSY_SHARE) {
      this.#worked = true;
      this.stop();
    } else if (this.#collectingSince !== undefined) {
      if (this.#clock.monotonic() - this.#collectingSince >= COLLECTING_MS) this.stop();
    } else if (this.#worked && this.#idleChecks >= IDLE_CHECKS) {
      this.#worked = false;
      this.#collectingSince = this.#clock.monotonic();
      this.#runtime.saveMemory(true);
    }
  }

  stop(): void {
    if (this.#collectingSince === undefined) return;
    this.#collectingSince = undefined;
    this.#runtime.saveMemory(false);
  }
}
