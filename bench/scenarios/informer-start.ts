import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { middle } from '../lib/compared.ts';
import { type BenchContext, type Subject, seedPods } from '../lib/context.ts';
import { againstFloor, type BenchResult } from '../lib/measure.ts';
import { cpuMicros, peakRss } from '../lib/proc.ts';

const program = join(import.meta.dirname, '..', 'lib', 'informer-program.ts');
const TURNS = 5;
const ways = ['streaming', 'listing'] as const;
/** Maximum cost of the initial events of a watch, relative to pages of a list. */
const FACTOR = 1.5;

interface Costs {
  readonly client: number;
  readonly clientMiB: number;
  readonly server: number;
  readonly serverMiB: number;
}

async function startOf({ server, pid }: Subject, pods: number, how: string): Promise<Costs> {
  const args = ['--disable-warning=ExperimentalWarning', program, how];
  const env = { ...process.env, KUBECONFIG: server.adminConfig, ORCHCONFIG: '' };
  const before = cpuMicros(pid);
  let stdout = '';
  const peak = await peakRss(pid, async () => {
    ({ stdout } = await promisify(execFile)(process.execPath, args, { env }));
  });
  const { objects, cpuMs, peakBytes } = JSON.parse(stdout) as Record<string, number>;
  if (objects !== pods) throw new Error(`the informer has ${objects} pods of ${pods}`);
  return {
    client: cpuMs ?? Number.NaN,
    clientMiB: (peakBytes ?? Number.NaN) / 2 ** 20,
    server: (cpuMicros(pid) - before) / 1000,
    serverMiB: peak / 2 ** 20,
  };
}

/** The start of an informer by the initial events of a watch, against one by pages of a list, in turns. */
export async function informerStart(context: BenchContext, pods: number): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  await seedPods(subject, pods);
  const all = { streaming: [] as Costs[], listing: [] as Costs[] };
  for (const how of ways) await startOf(subject, pods, how);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const how of turn % 2 === 0 ? ways : ways.toReversed())
      all[how].push(await startOf(subject, pods, how));
  const row = (what: string, unit: string, field: keyof Costs): BenchResult =>
    againstFloor(`start of an informer by a watch, against pages of a list: ${what}`, unit, {
      value: middle(all.streaming.map((costs) => costs[field])),
      floor: middle(all.listing.map((costs) => costs[field])),
      factor: FACTOR,
    });
  return [
    row('CPU time of the client', 'ms', 'client'),
    row('additional memory of the client', 'MiB', 'clientMiB'),
    row('CPU time of the server', 'ms', 'server'),
    row('resident memory of the server', 'MiB', 'serverMiB'),
  ];
}
