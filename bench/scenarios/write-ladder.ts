import { besideOther, sideBySide } from '../lib/compared.ts';
import { type BenchContext, type Floor, type Subject, withBody } from '../lib/context.ts';
import type { BenchResult, Measured } from '../lib/measure.ts';
import { configMapOf } from '../lib/pods.ts';
import { type WriteRung, writeRungs } from '../lib/write-rung-names.ts';
import { type WriteKind, Writer } from './writes.ts';

const TURNS = 40;
const TURN_WRITES = 320;
const WARM_UP = 40_000;

/** What each rung adds to the one before it. */
const added: Readonly<Record<WriteRung, string>> = {
  listener: 'the HTTP listener in place of node:https',
  watch: 'a watch of the written objects, whose events are decoded',
  cache: 'the latest bytes of each object in a Map',
  JSON: 'JSON.parse of the body, uid and time, JSON.stringify, resourceVersion in the reply',
  pipeline: 'the stages around handlers, without flow control; everybody may do everything',
};

/** Creations of objects of 1 KiB, whose names differ between turns. */
const creation: WriteKind = {
  name: 'CREATE',
  connections: 32,
  factor: 1.7,
  request: (i) =>
    withBody('POST', '/api/v1/namespaces/default/configmaps', JSON.stringify(configMapOf(`l-${i}`))),
};

/** A run of one turn of a program after its code is compiled. */
async function warm(subject: Pick<Subject, 'pid' | 'target'>): Promise<() => Promise<Measured>> {
  // Its connections end with the program.
  const writer = new Writer(subject, creation.connections);
  await writer.run(creation, 0, WARM_UP);
  let next = WARM_UP;
  return () => {
    next += TURN_WRITES;
    return writer.run(creation, next - TURN_WRITES, TURN_WRITES);
  };
}

/**
 * What a write costs at least when the server does more than its floor, one thing after another, and what the server costs. The
 * programs are measured at the same time, since they differ by few microseconds.
 */
export async function writeLadder(context: BenchContext): Promise<readonly BenchResult[]> {
  const server = await context.serverOnEtcd('/bench-ladder');
  const floor = await warm(await context.writeFloor());
  const rungs: (readonly [string, Floor | Subject])[] = [];
  for (const rung of writeRungs) rungs.push([`with ${added[rung]}`, await context.writeRung(rung)]);
  rungs.push(['by the server', server]);
  const rows: BenchResult[] = [];
  for (const [what, subject] of rungs) {
    const rung = await warm(subject);
    const turns = await sideBySide(TURNS, { rung, floor });
    const { factor } = creation;
    const note = 'floor: HTTPS and one transaction; each row includes those before it';
    rows.push(
      besideOther({ what: `CREATE 1 KiB ${what}`, unit: 'µs CPU', factor, note }, turns.rung, turns.floor),
    );
  }
  return rows;
}
