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

/** Log entries of a request: its arrival, and the response. */
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

/** The entries in the logs of two servers. */
function found(first: readonly string[], second: readonly string[]): readonly string[] {
  const log = (name: string, text: readonly string[]) => {
    const server = `${name}-${logs++}`;
    writeFileSync(join(folder, `${server}.log`), text.join(''));
    return leaderWrites(folder, server);
  };
  return contradictions([...log('a', first), ...log('b', second)]).map((text) => text.replace(/:.*/s, ''));
}

const OK = 200;
const earlier = ['a write of an earlier leader'];

describe('audit logs of two servers', () => {
  for (const [title, first, second, expected] of [
    [
      'have no contradictions when one leader follows the other',
      [write({ at: 0, transitions: 0, code: OK }), write({ at: 20, transitions: 1, code: OK })],
      [write({ at: 10, transitions: 0, code: OK }), write({ at: 30, transitions: 1, code: OK })],
      [],
    ],
    [
      'show a write of an earlier leader that another server received later',
      [write({ at: 20, transitions: 1, code: OK })],
      [write({ at: 30, transitions: 0, code: OK })],
      earlier,
    ],
    [
      'include writes without a response, which may have been executed',
      [write({ at: 20, transitions: 1, code: OK })],
      [write({ at: 30, transitions: 0 })],
      earlier,
    ],
    [
      'exclude refused writes',
      [write({ at: 20, transitions: 1, code: OK })],
      [write({ at: 30, transitions: 0, code: 409 })],
      [],
    ],
    [
      'prove nothing about writes within one millisecond',
      [write({ at: 20, transitions: 1, code: OK })],
      [write({ at: 20, transitions: 0, code: OK })],
      [],
    ],
    [
      'start a leadership with the write of its Lease',
      [renewal({ at: 20, transitions: 1, code: OK })],
      [write({ at: 25, transitions: 0, code: OK })],
      earlier,
    ],
    [
      'show two holders of the same leadership',
      [write({ at: 0, transitions: 1, holder: 'x', code: OK })],
      [renewal({ at: 10, transitions: 1, holder: 'y', code: OK })],
      ['two holders of one leadership'],
    ],
    [
      'exclude a released Lease',
      [renewal({ at: 0, transitions: 1, holder: 'x', code: OK })],
      [renewal({ at: 10, transitions: 1, holder: '', code: OK })],
      [],
    ],
  ] as const) {
    it(`audit logs of two servers ${title}`, () => assert.deepEqual(found(first, second), expected));
  }

  it('audit logs are read to the last line, leaderships are counted, and a truncated log is an error', () => {
    const text = [0, 1, 1, 2].map((transitions, i) => write({ at: i, transitions, code: OK }));
    writeFileSync(join(folder, 'whole.log'), text.join(''));
    writeFileSync(join(folder, 'torn.log'), `${text.join('')}{"auditID":`);
    const writes = leaderWrites(folder, 'whole');
    assert.deepEqual([writes.length, leaderships(writes)], [4, 3]);
    assert.throws(() => leaderWrites(folder, 'torn'), SyntaxError);
  });
});
