import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type LaunchOptions, launchServerProcess, type ServerProcess } from '@orch/testkit';
import { medianNote, middle } from '../lib/compared.ts';
import { type BenchContext, seedPods } from '../lib/context.ts';
import type { BenchResult } from '../lib/measure.ts';
import { cpuMicros, innermost, rssBytes } from '../lib/proc.ts';
import { settled } from '../lib/settled.ts';

/** Time and CPU of a server from the start of the program to the first 200 of `/readyz`. */
export async function timeToReady(
  dataDir: string,
  certDir: string,
  options: Pick<LaunchOptions, 'threads' | 'args'> = {},
): Promise<{ ms: number; cpuMs: number; server: ServerProcess }> {
  const started = process.hrtime.bigint();
  const server = await launchServerProcess({ naming: 'kubernetes', dataDir, certDir, ...options });
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
  return [...rows, ...(await releases(context))];
}

const TURNS = 5;
/** The part of CPU and memory by which the newest release may exceed the specified one. */
const MAX_RATIO = 1.1;

/** CPU of a start and memory of an idle server at the newest release, relative to the release of the specification. */
async function releases(context: BenchContext): Promise<readonly BenchResult[]> {
  const turns: Readonly<Record<'cpuMs' | 'rss', number[]>> = { cpuMs: [], rss: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const earlier = await idleServer(context, '1.24');
    const latest = await idleServer(context, 'latest');
    turns.cpuMs.push(latest.cpuMs / earlier.cpuMs);
    turns.rss.push(latest.rss / earlier.rss);
  }
  return [
    { what: 'CPU of a start at the newest release, relative to 1.24', perTurn: turns.cpuMs },
    { what: 'RSS of an idle server at the newest release, relative to 1.24', perTurn: turns.rss },
  ].map(({ what, perTurn }) => ({
    what,
    unit: '×',
    value: middle(perTurn),
    target: MAX_RATIO,
    note: medianNote(perTurn, 2),
  }));
}

async function idleServer(context: BenchContext, release: string): Promise<{ cpuMs: number; rss: number }> {
  const dataDir = mkdtempSync(join(context.folder, 'release-'));
  const { cpuMs, server } = await timeToReady(dataDir, context.certDir, {
    args: [`--emulated-version=${release}`],
  });
  await using _ = server;
  const pid = innermost(server.process.child.pid ?? 0);
  await settled({ pid });
  return { cpuMs, rss: rssBytes(pid) };
}
