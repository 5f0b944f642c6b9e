import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext } from '../../lib/context.ts';
import { againstFloor, type BenchResult } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { type Clients, clientsOf, costOf, type Program } from './callers.ts';
import { starts } from './starts.ts';
import { watches } from './watches.ts';

const APPLIES = 3;
const APPLIED = 500;

/** The command-line client, on Node and as an executable, beside Node alone, and beside kubectl where there is one. */
export async function orchctl(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  const clients = await clientsOf(context, subject);
  return [
    ...starts(clients, subject, context.folder),
    ...applies(context.folder, clients),
    ...(await watches(subject, clients)),
  ];
}

function applies(folder: string, { bundled, executable, kubectl }: Clients): readonly BenchResult[] {
  const file = join(folder, 'applied.json');
  const items = Array.from({ length: APPLIED }, (_, index) => configMapOf(`applied-${index}`));
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const remove = bundled('delete', '-f', file, '--wait=false');
  const apply = (program: Program | undefined, ...flags: readonly string[]): number | undefined => {
    if (program === undefined) return undefined;
    const { wallMs } = costOf(program('apply', ...flags, '-f', file));
    costOf(remove);
    return wallMs;
  };
  const times = Array.from({ length: APPLIES }, () => ({
    bundled: apply(bundled),
    executable: apply(executable),
    kubectl: apply(kubectl, '--server-side'),
  }));
  const least = (client: 'bundled' | 'executable' | 'kubectl'): number | undefined =>
    times[0]?.[client] === undefined ? undefined : Math.min(...times.map((one) => one[client] ?? 0));
  const floor = least('kubectl');
  if (floor === undefined) return [];
  const note = '16 in flight; the fastest of three, in turns';
  const what = `orchctl apply of ${APPLIED} objects, beside server-side kubectl apply`;
  const row = (name: string, value: number | undefined): readonly BenchResult[] =>
    value === undefined ? [] : [againstFloor(name, 'ms', { value, floor, factor: 1, note })];
  return [...row(what, least('bundled')), ...row(`${what}, by the executable`, least('executable'))];
}
