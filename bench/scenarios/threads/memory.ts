import { setTimeout as sleep } from 'node:timers/promises';
import { launchServerProcess } from '@orch/testkit';
import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { innermost, rssBytes } from '../../lib/proc.ts';
import { type StockedEtcd, stockedEtcd } from '../../lib/stocked-etcd.ts';

const MEGABYTE = 1e6;
/** Memory of a server with an empty cache. */
const EMPTY_MEGABYTES = 130;
/** Number of threads of the larger server: the memory of a further one is a mean. */
const THREADS = 3;
/** Time in which an idle server returns memory. */
export const IDLE_MS = 12_000;
/** Goals for a further thread: its code and its connections, and its index of the objects. */
const THREAD_MEGABYTES = 40;
const OBJECT_BYTES = 150;

/** Resident memory of an idle server with a number of threads, in MB. */
async function idleMegabytes(etcd: StockedEtcd, certDir: string, threads: number): Promise<number> {
  await using server = await launchServerProcess({
    naming: 'kubernetes',
    etcd: etcd.endpoints,
    certDir,
    args: [`--threads=${threads}`],
  });
  while ((await server.client.get('/readyz')).status !== 200) await sleep(10);
  await sleep(IDLE_MS);
  return rssBytes(innermost(server.process.child.pid ?? 0)) / MEGABYTE;
}

async function memoryWith(pods: number, certDir: string): Promise<readonly BenchResult[]> {
  await using etcd = await stockedEtcd(pods, certDir);
  const one = await idleMegabytes(etcd, certDir, 1);
  const several = await idleMegabytes(etcd, certDir, THREADS);
  const of = `${pods} pods (${(etcd.bytes / MEGABYTE).toFixed(0)} MB) on etcd`;
  return [
    {
      what: `idle RSS with one thread, ${of}`,
      unit: 'MB',
      value: one,
      target: EMPTY_MEGABYTES + (1.3 * etcd.bytes) / MEGABYTE,
    },
    {
      what: `idle RSS of each further thread, ${of}`,
      unit: 'MB',
      value: (several - one) / (THREADS - 1),
      target: THREAD_MEGABYTES + (pods * OBJECT_BYTES) / MEGABYTE,
      note: `${several.toFixed(0)} MB with ${THREADS} threads`,
    },
  ];
}

/** The memory of further threads, which have the objects in memory once. */
export async function memory({ certDir }: BenchContext, pods: number): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  for (const count of [1, pods, pods * 3]) rows.push(...(await memoryWith(count, certDir)));
  return rows;
}
