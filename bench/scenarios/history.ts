import { besideOther, compared } from '../lib/compared.ts';
import type { BenchContext, Subject } from '../lib/context.ts';
import type { BenchResult, Measured } from '../lib/measure.ts';
import { type WriteKind, Writer, writeKinds } from './writes.ts';

/** Number of writes until the code of the first kind is compiled, and for each further one. */
const WARM_UP = [20_000, 5_000, 5_000];
const WRITES = 2_000;
const TURNS = 12;
/** The factor that recording may add to the CPU of a write. */
const FACTOR = 1.15;

/** Writes of 1 KiB objects with a history of objects, beside the same writes without one, on etcd. */
export async function history(context: BenchContext): Promise<readonly BenchResult[]> {
  const plain = await context.serverOnEtcd('/bench-no-history');
  const recording = await context.serverOnEtcd('/bench-history', ['--history-retention=24h']);
  const rows: BenchResult[] = [];
  for (const [i, kind] of writeKinds.entries()) {
    const warmUp = WARM_UP[i] ?? 0;
    const turns = await compared(TURNS, {
      plain: await inTurns(plain, kind, warmUp),
      recording: await inTurns(recording, kind, warmUp),
    });
    const what = `${kind.name} 1 KiB with a history of objects on etcd, ${kind.connections} in flight`;
    const note = 'the floor is the same write without a history';
    rows.push(besideOther({ what, unit: 'µs CPU', factor: FACTOR, note }, turns.recording, turns.plain));
  }
  return rows;
}

/** Warms a server up, and returns the function that makes further writes of the kind. */
async function inTurns(server: Subject, kind: WriteKind, warmUp: number): Promise<() => Promise<Measured>> {
  const writer = new Writer(server, kind.connections);
  await writer.run(kind, 0, warmUp);
  let next = warmUp;
  return () => {
    const first = next;
    next += WRITES;
    return writer.run(kind, first, WRITES);
  };
}
