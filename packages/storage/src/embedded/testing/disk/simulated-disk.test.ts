import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import type { DiskCall } from './disk-call.ts';
import { type DiskImage, SimulatedDisk } from './simulated-disk.ts';
import { diskCalls } from './strace-output.ts';

const LOSSES = 300;

const write = (file: string, at: number, text: string): DiskCall => ({
  kind: 'write',
  file,
  at,
  bytes: Buffer.from(text),
});
const sync = (file: string, from = 1000): DiskCall => ({ kind: 'sync', file, from });
const create = (file: string): DiskCall => ({ kind: 'create', file });

const textOf = (image: DiskImage): string =>
  [...image].map(([name, bytes]) => `${name}=${bytes.toString('latin1')}`).join(' ');

/** The different images that many losses of power leave, and the one that a kill leaves. */
function imagesOf(calls: readonly DiskCall[]): {
  readonly lost: ReadonlySet<string>;
  readonly killed: string;
} {
  const disk = new SimulatedDisk();
  for (const call of calls) disk.apply(call);
  const lost = Array.from({ length: LOSSES }, (_, seed) => textOf(disk.powerLost(seededRandom(seed))));
  return { lost: new Set(lost), killed: textOf(disk.killed()) };
}

describe('a simulated disk', () => {
  for (const [title, calls, lost] of [
    ['keeps what was synced', [create('a'), write('a', 0, 'x'), sync('a'), sync('.')], ['a=x']],
    ['loses a name that was not synced', [create('a'), write('a', 0, 'x'), sync('a')], ['', 'a=x']],
    [
      'loses any of the writes that were not synced',
      [create('a'), write('a', 0, '..'), sync('a'), sync('.'), write('a', 0, 'x'), write('a', 1, 'y')],
      ['a=..', 'a=x.', 'a=.y', 'a=xy'],
    ],
    [
      'may make a file longer without the bytes of the write',
      [create('a'), sync('.'), write('a', 0, 'x')],
      ['a=', 'a=\0', 'a=x'],
    ],
    [
      'syncs the writes before the sync began, and no later one',
      [create('a'), sync('.'), write('a', 0, '..'), write('a', 1, 'y'), sync('a', 3)],
      ['a=..', 'a=.y'],
    ],
    [
      'has the old or the new file after a rename',
      [
        create('a'),
        write('a', 0, 'x'),
        sync('a'),
        create('b'),
        sync('.'),
        write('b', 0, 'y'),
        sync('b'),
        rename('b', 'a'),
      ],
      ['a=x b=y', 'a=y'],
    ],
    [
      'shortens a file or does not',
      [create('a'), write('a', 0, 'xyz'), sync('a'), sync('.'), { kind: 'truncate', file: 'a', size: 1 }],
      ['a=xyz', 'a=x'],
    ],
  ] as readonly (readonly [string, readonly DiskCall[], readonly string[]])[])
    it(`a simulated disk ${title}`, () => {
      assert.deepEqual([...imagesOf(calls).lost].sort(), [...lost].sort());
    });

  it('a simulated disk tears writes between sectors only', () => {
    const calls = [
      create('a'),
      sync('.'),
      write('a', 0, '.'.repeat(2048)),
      sync('a'),
      write('a', 500, 'x'.repeat(1000)),
    ];
    const { lost, killed } = imagesOf(calls);
    assert.equal(killed, `a=${'.'.repeat(500)}${'x'.repeat(1000)}${'.'.repeat(548)}`);
    assert.ok(lost.size > 4, 'some writes are torn');
    const part = (length: number): string => `(x{${length}}|\\.{${length}})`;
    const sectors = new RegExp(`^a=\\.{500}${part(12)}${part(512)}${part(476)}\\.{548}$`);
    for (const image of lost) assert.match(image, sectors);
  });
});

function rename(file: string, to: string): DiskCall {
  return { kind: 'rename', file, to };
}

describe('the output of strace', () => {
  const hex = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  const recorded = { dir: '/d', output: '/o', first: 10 };

  it('the output of strace contains calls of several threads, which end in another order than they begin', () => {
    const text = [
      `7 openat(AT_FDCWD<${hex('/')}>, "${hex('/d/a')}", O_RDWR|O_CREAT, 0600) = 5<${hex('/d/a')}>`,
      `7 pwrite64(5<${hex('/d/a')}>, "${hex('one')}", 3, 0) = 3`,
      `8 fdatasync(5<${hex('/d/a')}> <unfinished ...>`,
      `7 pwrite64(5<${hex('/d/a')}>, "${hex('two')}", 3, 3) = 2`,
      '8 <... fdatasync resumed>)              = 0',
      `7 pwrite64(5<${hex('/d/a')}>, "${hex('new')}", 3, 6) = -1 ENOSPC (No space left on device) (INJECTED)`,
      `7 writev(4<${hex('/o')}>, [{iov_base="${hex('stored 1')}", iov_len=8}, {iov_base="${hex('\n')}", iov_len=1}], 2) = 9`,
      `7 pwrite64(6<${hex('/elsewhere/a')}>, "${hex('new')}", 3, 6) = 3`,
      `7 unlink("${hex('/d/a')}")            = 0`,
    ].join('\n');
    assert.deepEqual(diskCalls(text, recorded), [
      { kind: 'create', file: 'a' },
      write('a', 0, 'one'),
      write('a', 3, 'tw'),
      { kind: 'sync', file: 'a', from: 12 },
      { kind: 'report', line: 'stored 1' },
      { kind: 'remove', file: 'a' },
    ]);
  });

  it('a call that is not simulated is an error', () => {
    const text = `7 fallocate(5<${hex('/d/a')}>, 0, 0, 3) = 0`;
    assert.throws(() => diskCalls(text, recorded), /fallocate of a is not simulated/);
  });
});
