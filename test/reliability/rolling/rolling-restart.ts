import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type BalancerName, type Deployment, replicas } from './deployment.ts';
import { Fleet, type FleetReport } from './fleet.ts';

export interface Load {
  readonly balancer: BalancerName;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly watches: number;
  readonly writesPerSecond: number;
}

export interface RestartOptions {
  readonly deployment: Deployment;
  readonly loads: readonly Load[];
  /** Duration of each watch in seconds, from half of it to all of it. */
  readonly watchSeconds: number;
  /** Pause after the start of a replica, in which its share of new watches grows. */
  readonly settleMs: number;
  /** The checkouts whose programs the replicas run in turn: each is one rolling restart. */
  readonly checkouts: readonly string[];
  /** Called before the first rolling restart and after each, while the load continues. */
  readonly started?: () => Promise<void>;
  readonly restarted?: () => Promise<void>;
}

export interface RestartReport {
  readonly fleets: readonly FleetReport[];
  readonly restartMs: readonly number[];
  /** Watches at each replica before, after the last restart, and when they were spread again. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly spread: readonly number[];
  /** Time from the last restart until the watches were spread again. */
  readonly spreadMs: number;
}

/** Watches are spread when no replica has less than this share of the mean. */
const FAIR_SHARE = 0.5;

/** Restarts all replicas, one after the other, under load, and checks what clients have received. */
export async function rollingRestart(options: RestartOptions): Promise<RestartReport> {
  const { deployment, loads, checkouts } = options;
  const fleets = loads.map((load) => fleetOf(load, options));
  try {
    await Promise.all(fleets.map((fleet) => fleet.startWatches()));
    const total = loads.reduce((sum, { watches }) => sum + watches, 0);
    await until(async () => sumOf(await deployment.watches()) >= total, 180_000, 'all watches are open');
    for (const fleet of fleets) fleet.startWrites();
    await pause(options.settleMs);
    const before = await deployment.watches();
    const restartMs: number[] = [];
    await options.started?.();
    for (const checkout of checkouts) {
      for (const replica of replicas) {
        restartMs.push(await deployment.restart(replica, checkout));
        await pause(options.settleMs);
      }
      await options.restarted?.();
    }
    const startedAt = performance.now();
    const after = await deployment.watches();
    let spread = after;
    await until(
      async () => {
        spread = await deployment.watches();
        return Math.min(...spread) >= (FAIR_SHARE * total) / replicas.length;
      },
      240_000,
      'watches are spread over all replicas again',
    );
    const spreadMs = performance.now() - startedAt;
    for (const fleet of fleets) await fleet.settle(AbortSignal.timeout(30_000));
    for (const fleet of fleets) fleet.check();
    return { fleets: fleets.map((fleet) => fleet.report()), restartMs, before, after, spread, spreadMs };
  } catch (error) {
    const failures = fleets.flatMap((fleet) => fleet.failures).slice(0, 10);
    const reports = fleets.map((fleet) => fleet.report());
    throw new Error([...failures, JSON.stringify(reports)].join('\n'), { cause: error });
  } finally {
    await Promise.all(fleets.map((fleet) => fleet.stop()));
  }
}

const fleetOf = (load: Load, { deployment, watchSeconds }: RestartOptions): Fleet =>
  new Fleet({
    ...deployment.access(load.balancer),
    ...load,
    name: `${load.balancer}-${load.protocol === 'HTTP/2' ? 'h2' : 'h1'}`,
    watchSeconds: { least: Math.ceil(watchSeconds / 2), most: watchSeconds },
  });

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

async function until(reached: () => Promise<boolean>, limitMs: number, what: string): Promise<void> {
  const deadline = AbortSignal.timeout(limitMs);
  while (!(await reached())) {
    assert.ok(!deadline.aborted, `not within ${limitMs} ms: ${what}`);
    await pause(200);
  }
}
