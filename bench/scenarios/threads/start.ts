import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { innermost, rssBytes } from '../../lib/proc.ts';
import { timeToReady } from '../startup.ts';
import { IDLE_MS } from './memory.ts';

const STARTS = 5;

/** A start with two threads on the embedded store, and the memory of the idle server. The first start leaves compiled code. */
export async function start({ folder, certDir }: BenchContext): Promise<readonly BenchResult[]> {
  const dataDir = mkdtempSync(join(folder, 'threads-'));
  let least = Number.POSITIVE_INFINITY;
  let idle = 0;
  for (let left = STARTS; left >= 0; left -= 1) {
    const { server, ms } = await timeToReady(dataDir, certDir, { threads: 2 });
    if (left < STARTS) least = Math.min(least, ms);
    if (left === 0) {
      await sleep(IDLE_MS);
      idle = rssBytes(innermost(server.process.child.pid ?? 0)) / 2 ** 20;
    }
    await server[Symbol.asyncDispose]();
  }
  return [
    {
      what: 'start to /readyz 200, embedded, two threads',
      unit: 'ms',
      value: least,
      target: 600,
      onReference: true,
      note: `the shortest of ${STARTS}: other load only makes them longer`,
    },
    { what: 'idle RSS, two threads', unit: 'MiB', value: idle, target: 150 },
  ];
}
