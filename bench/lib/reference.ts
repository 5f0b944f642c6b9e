import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchContext, withBody, withoutBody } from './context.ts';
import { type BenchResult, measure } from './measure.ts';
import { largePod, podOf } from './pods.ts';
import { drive } from './raw-client.ts';

/** CPU of a bare HTTPS GET of a pod on the reference machine, to which targets in units of time refer, in µs. */
export const REFERENCE_GET_MICROS = 17;

const REQUESTS = 30_000;

/** CPU of a bare HTTPS GET of a pod on this machine. */
export async function bareGetMicros(context: BenchContext): Promise<number> {
  // The floor uses the certificates of a server, which not every scenario starts.
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

/** Factor by which this machine is slower than the reference; at least 1. */
export const slowness = (getMicros: number): number => Math.max(1, getMicros / REFERENCE_GET_MICROS);

/** A result with its target scaled to this machine. */
export function scaled(row: BenchResult, factor: number): BenchResult {
  if (factor === 1) return row;
  if (row.allowance !== undefined) return { ...row, target: row.target + row.allowance * (factor - 1) };
  if (row.onReference !== true) return row;
  return { ...row, target: row.atLeast === true ? row.target / factor : row.target * factor };
}
