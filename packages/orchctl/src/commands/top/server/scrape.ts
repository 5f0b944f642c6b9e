import { type Exposition, parseExposition, readSeries, START_TIME } from '@orch/console/health';
import { ApiError } from '@orch/machinery';
import { asBuffer } from '@orch/machinery/json';
import { CommandError } from '../../../command-error.ts';
import type { Session } from '../../../session/session.ts';
import { askForRequest } from '../../why/ask.ts';

/** The metrics of the replica that answered. */
export interface Scrape {
  readonly series: Exposition;
  /** The name of the replica; when it started if the server does not name it. */
  readonly replica: string;
  /** Start of the process; the same in all of its scrapes. */
  readonly startedAtMs: number;
  /** Time of the response, on a monotonic clock. */
  readonly atMs: number;
}

interface ScrapeContext {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** The audit id of the request. */
  readonly newId: () => string;
}

/** Reads the metrics of the server. Throws a `CommandError` that names the permission when it is missing. */
export async function scrape({ session, signal, now, newId }: ScrapeContext): Promise<Scrape> {
  const id = newId();
  const text = await metricsText(session, id, signal);
  const atMs = now();
  const series = parseExposition(text, readSeries);
  const startedAtMs = (series.get(START_TIME)?.[0]?.value ?? 0) * 1000;
  const name = await replicaOf(session, id, signal);
  return { series, startedAtMs, atMs, replica: name ?? `started ${new Date(startedAtMs).toISOString()}` };
}

async function metricsText({ client }: Session, id: string, signal: AbortSignal): Promise<string> {
  try {
    const headers = { accept: 'text/plain', 'audit-id': id };
    const body = await client.rawBody({ method: 'GET', target: '/metrics', headers }, signal);
    return asBuffer(body).toString('utf8');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status.code !== 403) throw error;
    throw new CommandError(
      `the server refuses its metrics (${error.status.message}). The permission to get the path /metrics is missing; the cluster role system:monitoring grants it: an administrator can run "orchctl create clusterrolebinding NAME --clusterrole=system:monitoring --user=USER"`,
      { cause: error },
    );
  }
}

/** The replica that handled a request of this user; undefined when the server does not report it. */
async function replicaOf(session: Session, id: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { requests } = await askForRequest(session, id, signal);
    const name = requests[0]?.['replica'];
    return typeof name === 'string' ? name : undefined;
  } catch (error) {
    if (error instanceof ApiError || error instanceof CommandError) return undefined;
    throw error;
  }
}
