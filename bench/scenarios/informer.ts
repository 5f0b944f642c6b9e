import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BenchResult } from '../lib/measure.ts';

const script = join(import.meta.dirname, '..', '..', 'packages', 'client', 'bench', 'informer.ts');
const OBJECTS = 50_000;
/** Number of runs; the fastest counts, since other load only adds time. */
const RUNS = 3;

interface Report {
  readonly keptToWire: number;
  readonly syncedMs: number;
}

function measured(shape: string): Report {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', script, shape, String(OBJECTS)];
  const reports = Array.from(
    { length: RUNS },
    () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Report,
  );
  return {
    keptToWire: Math.max(...reports.map(({ keptToWire }) => keptToWire)),
    syncedMs: Math.min(...reports.map(({ syncedMs }) => syncedMs)),
  };
}

/** An informer over 50,000 objects: its memory, and its time to sync without the server's share. */
export async function informer(): Promise<readonly BenchResult[]> {
  return ['pods', 'leases'].flatMap((shape) => {
    const { keptToWire, syncedMs } = measured(shape);
    return [
      {
        what: `informer over 50,000 ${shape}: memory ÷ wire size`,
        unit: '×',
        value: keptToWire,
        target: 1.5,
      },
      {
        what: `informer over 50,000 ${shape}: time to sync`,
        unit: 's',
        value: syncedMs / 1000,
        target: 3,
        onReference: true,
      },
    ];
  });
}
