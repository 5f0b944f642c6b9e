import assert from 'node:assert/strict';
import { fenceInUserAgent } from '@orch/client';
import { checkLeaders, checkNamespaces, checkObjects, type WriteRecord } from '../shared/checks.ts';
import { Issued, noteIssued } from '../shared/issued.ts';
import type { Operation } from './clients/register-history.ts';
import { names, SimulatedCluster } from './cluster.ts';
import type { Schedule } from './schedule/schedule.ts';
import { type Defect, noDefect } from './world/defect.ts';

/** The trace of a simulation, and what its checks found. */
export interface Result {
  readonly hash: string;
  readonly trace: readonly string[];
  /** The calls of concurrent clients. */
  readonly operations: readonly Operation[];
  /** Undefined when all promises were kept. */
  readonly failure: Error | undefined;
}

/**
 * The life of a cluster for one schedule, from its start to the checks at its end. A rejection that nothing handles, which ends a real
 * process, is a failure.
 */
export async function simulate(schedule: Schedule, defect: Defect = noDefect): Promise<Result> {
  const uproot = defect.plant?.();
  const cluster = new SimulatedCluster(schedule, defect);
  const crashes: Error[] = [];
  const crash = (reason: unknown): void => void crashes.push(asError(reason));
  process.on('unhandledRejection', crash);
  const found = await live(cluster, schedule).then(() => undefined, asError);
  process.off('unhandledRejection', crash);
  const failure = found ?? crashes[0];
  uproot?.();
  const { trace, registers } = cluster;
  const { operations } = registers.history;
  return { hash: trace.hash(), trace: trace.lines, operations, failure };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

async function live(cluster: SimulatedCluster, { cast }: Schedule): Promise<void> {
  const watching = new AbortController();
  const certificates = new Issued();
  const tokens = new Issued();
  const isManaged = cast.managers > 0;
  const watched = isManaged
    ? noteIssued(cluster.model, { certificates, tokens }, watching.signal)
    : Promise.resolve();
  await cluster.start();
  await cluster.run();
  const { model, audit, registers, observations, users } = cluster;
  for (const observation of observations) observation.checkEnd();
  registers.history.check(model.history.changes);
  if (cast.copiers > 0) checkCopies(cluster);
  if (isManaged) {
    await checkObjects(model, users.expectations);
    await checkNamespaces(model, users.expectations, names);
  }
  await cluster.stop();
  watching.abort();
  await watched;
  certificates.check(users.expectations.requests);
  tokens.check(users.expectations.tokens);
  checkLeaders(audit);
  checkArrivals(audit);
}

/** Checks that controllers have copied the last value of each object. */
function checkCopies({ model }: SimulatedCluster): void {
  const last = new Map(model.history.changes.map(({ key, object }) => [key, object]));
  for (const [key, object] of last) {
    if (object === undefined || !key.startsWith('work/')) continue;
    const { in: wanted, out } = object['data'] as Record<string, string>;
    assert.equal(out, wanted, `the copy of ${key}`);
  }
}

/**
 * Checks that no leader sends a write after the first one of a later leader, whether or not the server accepts it: messages take
 * less time here than the margin between the end of a leadership and the next one.
 */
function checkArrivals(audit: readonly WriteRecord[]): void {
  let last = -1;
  for (const { userAgent, target } of audit.toSorted((a, b) => a.receivedAt - b.receivedAt)) {
    const fence = fenceInUserAgent(userAgent);
    if (fence === undefined) continue;
    assert.ok(fence.transitions >= last, `${fence.holder} writes ${target} after a later leader`);
    last = fence.transitions;
  }
}
