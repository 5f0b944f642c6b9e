import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { launchServerProcess, type ServerProcess } from '@orch/testkit';
import { type BenchContext, seedPods } from '../lib/context.ts';
import type { BenchResult } from '../lib/measure.ts';
import { cpuMicros, innermost } from '../lib/proc.ts';

/** Time and CPU of a server with a number of threads from the start of the program to the first 200 of `/readyz`. */
export async function timeToReady(
  dataDir: string,
  certDir: string,
  threads = 1,
): Promise<{ ms: number; cpuMs: number; server: ServerProcess }> {
  const started = process.hrtime.bigint();
  const server = await launchServerProcess({ naming: 'kubernetes', dataDir, certDir, threads });
  while ((await server.client.get('/readyz')).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  return { ms, cpuMs: cpuMicros(innermost(server.process.child.pid ?? 0)) / 1000, server };
}

/** Start to `/readyz` 200 on the embedded store: empty with new certificates, and with the pods of the read benchmark. */
export async function startup(context: BenchContext, pods: number): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  const empty = await timeToReady(
    mkdtempSync(join(context.folder, 'empty-')),
    mkdtempSync(join(context.folder, 'certs-')),
  );
  rows.push({
    what: 'start to /readyz 200, embedded, empty, first start',
    unit: 'ms',
    value: empty.ms,
    target: 1000,
    onReference: true,
  });
  await empty.server[Symbol.asyncDispose]();

  const dataDir = mkdtempSync(join(context.folder, 'full-'));
  const first = await timeToReady(dataDir, context.certDir);
  const { server } = first;
  await seedPods(
    {
      server,
      pid: innermost(server.process.child.pid ?? 0),
      target: {
        host: '127.0.0.1',
        port: server.port,
        ...(server.config.cert === undefined ? {} : { cert: server.config.cert }),
        ...(server.config.key === undefined ? {} : { key: server.config.key }),
      },
    },
    pods,
  );
  await server.process.stop('SIGTERM');
  await server[Symbol.asyncDispose]();
  const full = await timeToReady(dataDir, context.certDir);
  rows.push({
    what: `start to /readyz 200, embedded, ${pods} pods`,
    unit: 'ms',
    value: full.ms,
    target: 2000,
    onReference: true,
  });
  await full.server[Symbol.asyncDispose]();
  return rows;
}
