import { TransportError } from '@orch/client';
import { ApiError, type Clock } from '@orch/machinery';
import { asNumber, asObjects, asText } from '@orch/machinery/json';
import { reportFailure } from '../../../cli/report-failure.ts';
import { CommandError } from '../../../command-error.ts';
import type { Session } from '../../../session/session.ts';

/** The facts that requests of the API add to the metrics of a replica. */
export interface Surroundings {
  /** Addresses of the replicas that serve; undefined without the permission to read them. */
  readonly replicas: readonly string[] | undefined;
  /**
   * Duration of a read of one object that sees every earlier write: it includes the time until the watch cache is as
   * new as the store. Undefined without the permission.
   */
  readonly consistentReadMs: number | undefined;
  /** The parts that could not be read, and why. */
  readonly missing: readonly string[];
}

interface Reading {
  readonly session: Session;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function readSurroundings(reading: Reading): Promise<Surroundings> {
  const missing: string[] = [];
  const replicas = await orMissing(() => replicaAddresses(reading), 'replicas', missing);
  const consistentReadMs = await orMissing(() => readTime(reading), 'freshness of the watch cache', missing);
  return { replicas, consistentReadMs, missing };
}

/** The result of a read; undefined with the reason in `missing` when it is refused or fails. */
async function orMissing<T>(
  read: () => Promise<T>,
  title: string,
  missing: string[],
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isExpected =
      error instanceof ApiError || error instanceof CommandError || error instanceof TransportError;
    if (!isExpected) throw error;
    missing.push(`${title}: ${reportFailure(error).text}`);
    return undefined;
  }
}

/** The endpoints of the default service: replicas whose leases are valid. */
async function replicaAddresses({ session, signal }: Reading): Promise<readonly string[]> {
  const endpoints = await session.resources.named('endpoints');
  const client = session.client.resource(endpoints, 'default');
  const object = await client.get(session.names.defaultService, {}, signal);
  return asObjects((object as unknown as Record<string, unknown>)['subsets']).flatMap((subset) => {
    const ports = asObjects(subset['ports']).map(({ port }) => asNumber(port));
    const addresses = asObjects(subset['addresses']).map(({ ip }) => asText(ip));
    return addresses.flatMap((ip) => ports.map((port) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  });
}

async function readTime({ session, clock, signal }: Reading): Promise<number> {
  const namespaces = session.client.resource(await session.resources.named('namespaces'));
  const start = clock.monotonic();
  await namespaces.list({ limit: 1 }, signal);
  return clock.monotonic() - start;
}
