import { spawn } from 'node:child_process';
import { type Subject, withBody } from '../../lib/context.ts';
import { againstFloor, type BenchResult } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { peakRssSoFar } from '../../lib/proc.ts';
import { drive } from '../../lib/raw-client.ts';
import type { Caller, Clients } from './callers.ts';

const WATCHED = 10_000;
/** As many objects as one page of a list. */
const FEW = 500;

/** The peak memory of a watch that prints many objects, beside one that prints few. */
export async function watches(
  subject: Subject,
  { bundled, executable }: Clients,
): Promise<readonly BenchResult[]> {
  const what = `orchctl watch of ${WATCHED} objects: peak RSS`;
  const programs = [
    [what, bundled],
    [`${what}, by the executable`, executable],
  ] as const;
  const line = ['get', 'configmaps', '--watch', '--namespace=default'];
  const peaks = async (objects: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (const [, program] of programs)
      all.push(program === undefined ? 0 : await peakOf(program(...line), objects));
    return all;
  };
  await seed(subject, 0, FEW);
  const few = await peaks(FEW);
  await seed(subject, FEW, WATCHED);
  const many = await peaks(WATCHED);
  const note = `floor: the same watch of ${FEW} objects`;
  return programs.flatMap(([name, program], index) => {
    const [value, floor] = [many, few].map((all) => (all[index] ?? 0) / 2 ** 20);
    if (program === undefined || value === undefined || floor === undefined) return [];
    return [againstFloor(name, 'MiB', { value, floor, factor: 1.5, note })];
  });
}

async function seed(subject: Subject, first: number, end: number): Promise<void> {
  let next = first;
  const statuses = await drive(subject.target, 16, () =>
    next < end
      ? withBody(
          'POST',
          '/api/v1/namespaces/default/configmaps',
          JSON.stringify(configMapOf(`watched-${next++}`)),
        )
      : undefined,
  );
  if (statuses.get(201) !== end - first) throw new Error(`seeding: ${JSON.stringify([...statuses])}`);
}

async function peakOf(
  { argv: [command = '', ...argv], environment }: Caller,
  objects: number,
): Promise<number> {
  const child = spawn(command, argv, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (lines >= objects) break;
  }
  const peak = peakRssSoFar(child.pid ?? 0);
  child.kill();
  return peak;
}
