import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { formatFence } from '@orch/client';
import { contradictions, leaderships, leaderWrites } from './audit-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-audit-log-'));
after(() => rmSync(folder, { recursive: true }));

const at = (ms: number): string => new Date(1_800_000_000_000 + ms).toISOString();
let requests = 0;
let logs = 0;

interface Asked {
  readonly at: number;
  readonly transitions: number;
  readonly holder?: string;
  /** Absent: the server was killed before it answered. */
  readonly code?: number | undefined;
}

/** What a server writes of a request: that it arrived, and what was answered. */
function lines(event: object, { at: receivedAt, code }: Asked): string {
  const common = { auditID: `id-${requests++}`, requestReceivedTimestamp: at(receivedAt), ...event };
  const received = {
    ...common,
    stage: 'RequestReceived',
    stageTimestamp: at(receivedAt),
    responseObject: undefined,
  };
  const answered = {
    ...common,
    stage: 'ResponseComplete',
    stageTimestamp: at(receivedAt + 5),
    responseStatus: { code },
  };
  return `${JSON.stringify(received)}\n${code === undefined ? '' : `${JSON.stringify(answered)}\n`}`;
}

const fenceOf = ({ transitions, holder = `m${transitions}` }: Asked) => ({
  ...{ namespace: 'system', name: 'manager', uid: 'u' },
  holder,
  transitions,
});

const write = (asked: Asked): string => {
  const userAgent = `manager/1 (leader=${formatFence(fenceOf(asked))})`;
  return lines({ verb: 'create', requestURI: '/api/v1/secrets', userAgent }, asked);
};
const renewal = (asked: Asked): string => {
  const { holder, transitions, ...metadata } = fenceOf(asked);
  const spec = { holderIdentity: holder, leaseTransitions: transitions };
  const responseObject = { kind: 'Lease', metadata, spec };
  return lines({ verb: 'update', requestURI: '/leases', userAgent: 'manager/1', responseObject }, asked);
};

/** What is found in the logs of two servers. */
function found(first: readonly string[], second: readonly string[]): readonly string[] {
  const log = (name: string, text: readonly string[]) => {
    const server = `${name}-${logs++}`;
    writeFileSync(join(folder, `${server}.log`), text.join(''));
    return leaderWrites(folder, server);
  };
  return contradictions([...log('a', first), ...log('b', second)]).map((text) => text.replace(/:.*/s, ''));
}

const ok = 200;
const earlier = ['a write of an earlier leader'];

describe('the logs of two servers', () => {
  for (const [title, first, second, expected] of [
    [
      'agree when one leader follows the other',
      [write({ at: 0, transitions: 0, code: ok }), write({ at: 20, transitions: 1, code: ok })],
      [write({ at: 10, transitions: 0, code: ok }), write({ at: 30, transitions: 1, code: ok })],
      [],
    ],
    [
      'contradict each other when an earlier one writes to the other server later',
      [write({ at: 20, transitions: 1, code: ok })],
      [write({ at: 30, transitions: 0, code: ok })],
      earlier,
    ],
    [
      'count a write without an answer for one that may have been carried out',
      [write({ at: 20, transitions: 1, code: ok })],
      [write({ at: 30, transitions: 0 })],
      earlier,
    ],
    [
      'do not count what was refused',
      [write({ at: 20, transitions: 1, code: ok })],
      [write({ at: 30, transitions: 0, code: 409 })],
      [],
    ],
    [
      'prove nothing within a millisecond',
      [write({ at: 20, transitions: 1, code: ok })],
      [write({ at: 20, transitions: 0, code: ok })],
      [],
    ],
    [
      'count from the write of the Lease on',
      [renewal({ at: 20, transitions: 1, code: ok })],
      [write({ at: 25, transitions: 0, code: ok })],
      earlier,
    ],
    [
      'tell when two hold the same leadership',
      [write({ at: 0, transitions: 1, holder: 'x', code: ok })],
      [renewal({ at: 10, transitions: 1, holder: 'y', code: ok })],
      ['two holders of one leadership'],
    ],
    [
      'leave out a Lease that was given up',
      [renewal({ at: 0, transitions: 1, holder: 'x', code: ok })],
      [renewal({ at: 10, transitions: 1, holder: '', code: ok })],
      [],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(found(first, second), expected));
  }

  it('are read to the last line, and how many leaderships there were is counted', () => {
    const text = [0, 1, 1, 2].map((transitions, i) => write({ at: i, transitions, code: ok }));
    writeFileSync(join(folder, 'whole.log'), text.join(''));
    writeFileSync(join(folder, 'torn.log'), `${text.join('')}{"auditID":`);
    const writes = leaderWrites(folder, 'whole');
    assert.deepEqual([writes.length, leaderships(writes)], [4, 3]);
    assert.throws(() => leaderWrites(folder, 'torn'), SyntaxError);
  });
});
