import assert from 'node:assert/strict';
import { fixedCredentials, networkTransport, type Transport } from '@orch/client';
import { sleep } from '@orch/machinery/concurrency';
import { checkNamespaces, checkObjects } from '../shared/checks.ts';
import { Issued, noteIssued } from '../shared/issued.ts';
import { User } from '../shared/user.ts';
import { contradictions, leaderships, leaderWrites } from './audit-log.ts';
import { type Cluster, names } from './cluster.ts';
import { disturb } from './faults.ts';
import type { Supervised } from './supervised.ts';

/** Time after the last fault until the final state is reached. */
export const HEAL_MS = 30_000;

/** The figures of a run. */
export interface Story {
  readonly faults: ReadonlyMap<string, number>;
  readonly leaderships: number;
  readonly leaderWrites: number;
  readonly objects: number;
  readonly convergedMs: number;
}

/** The administrator's connection to a server, as users have one. */
function userTransport({ env, files }: Cluster, port: number): Transport {
  const { ca, cert, key } = files.admin();
  const identity = { headers: {}, tls: { cert: String(cert), key: String(key) } };
  const credentials = fixedCredentials(identity);
  const server = `https://127.0.0.1:${port}`;
  return networkTransport(
    { server, ca: String(ca), insecureSkipTlsVerify: false, disableCompression: true, credentials },
    env,
  );
}

/** To a random server. */
function toAny(transports: readonly Transport[], { env: { random } }: Cluster): Transport {
  const any = (): Transport => {
    const transport = transports[random.int(transports.length)];
    assert.ok(transport);
    return transport;
  };
  return {
    send: (request, signal) => any().send(request, signal),
    reset: () => undefined,
    close: async () => {
      for (const transport of transports) await transport.close();
    },
  };
}

/** Runs users until the signal aborts; resolves when all of their operations are done. */
async function work(cluster: Cluster, user: User, signal: AbortSignal): Promise<void> {
  const { clock, random } = cluster.env;
  const acts: Promise<void>[] = [];
  while (!signal.aborted) {
    const act = user.act();
    act.catch(() => undefined);
    acts.push(act);
    await sleep(clock, 200 + random.int(1000), signal).catch(() => undefined);
  }
  await Promise.all(acts);
}

async function check({ store }: Cluster, { expectations }: User): Promise<void> {
  await checkObjects(store, expectations);
  await checkNamespaces(store, expectations, names);
  const certificates = new Issued();
  const tokens = new Issued();
  const { signal } = new AbortController();
  const through = await store.currentRevision(signal);
  await noteIssued(store, { certificates, tokens }, signal, through);
  certificates.check(expectations.requests);
  tokens.check(expectations.tokens);
}

async function within(ms: number, what: string, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what}: not within ${ms} ms`)), ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Repeats the checks until all succeed; rejects with the remaining errors after the time limit. */
async function converge(cluster: Cluster, user: User, limitMs: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    try {
      await check(cluster, user);
      return performance.now() - started;
    } catch (error) {
      if (performance.now() - started > limitMs) throw error;
    }
    await sleep(cluster.env.clock, 250, new AbortController().signal);
  }
}

/**
 * A manager exits when another one may lead, or after a second signal; a server when the store is not available at its
 * start.
 */
function checkFailures({ managers, servers }: Cluster): void {
  const unlike = ({ name, failures }: Supervised, expected: RegExp): readonly string[] =>
    failures.filter((failure) => !expected.test(failure)).map((failure) => `${name}: ${failure}`);
  assert.deepEqual(
    [
      ...managers.flatMap(({ program }) => unlike(program, /lost the lease|second SIGTERM/)),
      ...servers.flatMap((server) => unlike(server, /cannot open the store/)),
    ],
    [],
  );
}

/** Causes faults for the given time while users work; then all faults end, and the promises are checked. */
export async function live(cluster: Cluster, troubleMs: number): Promise<Story> {
  const transport = toAny(
    cluster.ports.map((port) => userTransport(cluster, port)),
    cluster,
  );
  const user = new User(cluster.env, names, transport);
  const leaving = new AbortController();
  const working = work(cluster, user, leaving.signal);
  working.catch(() => undefined);
  const faults = await disturb(cluster, troubleMs);
  const healed = performance.now();
  leaving.abort();
  await within(HEAL_MS, 'what users began is done', working);
  const convergedMs = performance.now() - healed + (await converge(cluster, user, HEAL_MS));
  for (const { program } of cluster.managers) await program.stop();
  // The checks still hold after the final writes of the managers.
  await check(cluster, user);
  await transport.close();
  for (const server of cluster.servers) await server.stop();
  checkFailures(cluster);
  const writes = cluster.servers.flatMap(({ name }) => leaderWrites(cluster.files.auditDir, name));
  assert.deepEqual(contradictions(writes), []);
  return {
    faults,
    convergedMs,
    leaderships: leaderships(writes),
    leaderWrites: writes.length,
    objects: user.expectations.alive.size + user.expectations.gone.size,
  };
}
