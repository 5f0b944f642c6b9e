import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchContext, withBody, withoutBody } from './context.ts';
import { measure, type Row } from './measure.ts';
import { largePod, podOf } from './pods.ts';
import { drive } from './raw-client.ts';

/** What a bare HTTPS GET of a pod costs on the machine that targets in units of time speak of, in µs of CPU. */
export const REFERENCE_GET_MICROS = 17;

const REQUESTS = 30_000;

/** What a bare HTTPS GET of a pod costs here. */
export async function bareGetMicros(context: BenchContext): Promise<number> {
  // The floor has the certificates of a server, which not every scenario starts.
  if (!existsSync(join(context.certDir, 'apiserver.crt'))) await context.serverEmbedded();
  const floor = await context.floor();
  const body = JSON.stringify(podOf(0, largePod));
  const send = (request: Buffer, count: number, connections: number): Promise<number> => {
    let left = count;
    return drive(floor.target, connections, () => (left-- > 0 ? request : undefined)).then(() => count);
  };
  await send(withBody('POST', '/bytes/pod', body), 1, 1);
  const get = withoutBody('/bytes/pod');
  await send(get, REQUESTS / 3, 32);
  const { cpuPerOp } = await measure(floor.pid, () => send(get, REQUESTS, 32));
  return cpuPerOp;
}

/** How many times as long this machine takes for the same work; 1 for one that is faster than the reference. */
export const slowness = (getMicros: number): number => Math.max(1, getMicros / REFERENCE_GET_MICROS);

/** A row with what its target comes to on this machine. */
export function scaled(row: Row, factor: number): Row {
  if (row.onReference !== true || factor === 1) return row;
  return { ...row, target: row.atLeast === true ? row.target / factor : row.target * factor };
}
