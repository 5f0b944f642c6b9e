import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Row } from '../lib/measure.ts';

const script = join(import.meta.dirname, '..', '..', 'packages', 'client', 'bench', 'informer.ts');
const count = 50_000;
/** Runs of which the fastest counts: everything else is what the machine did beside. */
const runs = 3;

interface Report {
  readonly keptToWire: number;
  readonly syncedMs: number;
}

function measured(shape: string): Report {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', script, shape, String(count)];
  const reports = Array.from(
    { length: runs },
    () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Report,
  );
  return {
    keptToWire: Math.max(...reports.map(({ keptToWire }) => keptToWire)),
    syncedMs: Math.min(...reports.map(({ syncedMs }) => syncedMs)),
  };
}

/** An informer over 50,000 objects: what it keeps of them, and how soon it has them when the server takes no time. */
export async function informer(): Promise<readonly Row[]> {
  return ['pods', 'leases'].flatMap((shape) => {
    const { keptToWire, syncedMs } = measured(shape);
    return [
      { what: `informer over 50,000 ${shape}: kept ÷ wire size`, unit: '×', value: keptToWire, target: 1.5 },
      {
        what: `informer over 50,000 ${shape}: synced`,
        unit: 's',
        value: syncedMs / 1000,
        target: 3,
        onReference: true,
      },
    ];
  });
}
