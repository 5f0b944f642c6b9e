import type { Subject } from './context.ts';
import { type Measured, measure } from './measure.ts';
import { Clients } from './raw-client.ts';

export interface RequestLoad {
  readonly connections: number;
  readonly count: number;
  /** Request number `index`, counted from 0. */
  request(index: number): Buffer;
}

/** Sends requests number `first` to `first + count` and measures the CPU of the server; fails when one is refused. */
export async function send(
  subject: Pick<Subject, 'pid' | 'target'>,
  load: RequestLoad,
  first = 0,
): Promise<Measured> {
  using clients = new Clients(subject.target, load.connections);
  return await measuredRequests(subject.pid, clients, { ...load, first });
}

function measuredRequests(
  pid: number,
  clients: Clients,
  { count, request, first }: RequestLoad & { readonly first: number },
): Promise<Measured> {
  return measure(pid, async () => {
    let next = first;
    const statuses = await clients.drive(() => (next < first + count ? request(next++) : undefined));
    const bad = [...statuses].filter(([status]) => status !== 200 && status !== 201);
    if (bad.length > 0)
      throw new Error(`answers to ${request(first).subarray(0, 200)}: ${JSON.stringify(bad)}`);
    return count;
  });
}

/**
 * A run of `compared`: each call continues with the next requests, over the same connections. A TLS handshake costs as much as
 * tens of requests, so that connections are opened before the CPU is measured; they end with the server.
 */
export function continued(
  { pid, target }: Pick<Subject, 'pid' | 'target'>,
  load: RequestLoad,
): () => Promise<Measured> {
  const clients = new Clients(target, load.connections);
  let first = 0;
  return async () => {
    const from = first;
    first += load.count;
    await clients.connect();
    return measuredRequests(pid, clients, { ...load, first: from });
  };
}
