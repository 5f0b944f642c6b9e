import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { archiveEnd, padding, type WrittenMember, writeHeader } from './tar/tar-header.ts';
import { unpacker } from './unpack.ts';

type Member = Partial<WrittenMember> & { readonly name: string; readonly text?: string };

const archive = (...members: readonly Member[]): Buffer =>
  Buffer.concat([
    ...members.flatMap(({ text = '', ...member }) => {
      const size = Buffer.byteLength(text);
      return [writeHeader({ type: '0', mode: 0o644, ...member, size }), Buffer.from(text), padding(size)];
    }),
    archiveEnd(),
  ]);

/** The header of a symbolic link as one of another type: a hard link, a device. */
const retyped = (type: string, member: Member): Buffer => {
  const block = writeHeader({ mode: 0o644, size: 0, ...member, type: '2' });
  block.write(type, 156, 'latin1');
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
};

describe('archives of containers that are not trusted', () => {
  let root: string;
  let target: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'client-unpack-'));
    target = join(root, 'target');
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'kept'), 'kept');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function unpack(bytes: Buffer, chunkSize = bytes.length): readonly string[] {
    const warnings: string[] = [];
    const reader = unpacker({ source: '/data', target, warn: (text) => warnings.push(text) });
    for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize));
    reader.end();
    return warnings;
  }

  const assertNothingOutside = (): void => {
    assert.deepEqual(
      readdirSync(root).filter((name) => name !== 'target'),
      ['outside'],
    );
    assert.deepEqual(readdirSync(join(root, 'outside')), ['kept']);
    assert.equal(readFileSync(join(root, 'outside', 'kept'), 'utf8'), 'kept');
  };

  for (const chunkSize of [1, 100, 512, 700, 1_000_000])
    it(`files, folders and long names are written from chunks of ${chunkSize} bytes`, () => {
      const long = 'n'.repeat(150);
      const bytes = archive(
        { name: 'data/', type: '5' },
        { name: 'data/a', text: 'x'.repeat(1025) },
        { name: 'data/empty' },
        { name: `data/sub/${long}`, text: 'long' },
      );
      assert.deepEqual(unpack(bytes, chunkSize), []);
      assert.equal(readFileSync(join(target, 'a'), 'utf8'), 'x'.repeat(1025));
      assert.equal(readFileSync(join(target, 'empty'), 'utf8'), '');
      assert.equal(readFileSync(join(target, 'sub', long), 'utf8'), 'long');
    });

  for (const name of ['data/../../outside/evil', 'data/x/../../../outside/kept', 'data/..'])
    it(`the member "${name}" leads to a parent folder and is skipped with a warning`, () => {
      const [warning = ''] = unpack(archive({ name, text: 'evil' }, { name: 'data/good', text: 'good' }));
      assert.match(warning, /is outside target destination, skipping/);
      assert.equal(readFileSync(join(target, 'good'), 'utf8'), 'good');
      assertNothingOutside();
    });

  for (const name of ['/data/evil', '/etc/evil', 'other', 'database', '../data/evil'])
    it(`the member "${name}" was not requested and ends the copy`, () => {
      assert.throws(() => unpack(archive({ name, text: 'evil' })), /tar contents corrupted/);
      assertNothingOutside();
    });

  it('links of the archive are not created, so that no later member is written through them', () => {
    const bytes = Buffer.concat([
      writeHeader({ name: 'data/link', type: '2', size: 0, mode: 0o777, linkName: '../outside' }),
      retyped('1', { name: 'data/hard', linkName: '../outside/kept' }),
      retyped('3', { name: 'data/device' }),
      archive({ name: 'data/link/evil', text: 'inside' }, { name: 'data/hard', text: 'inside' }),
    ]);
    const warnings = unpack(bytes);
    assert.equal(warnings.length, 3);
    assert.equal(readFileSync(join(target, 'link', 'evil'), 'utf8'), 'inside');
    assert.ok(!existsSync(join(target, 'device')));
    assertNothingOutside();
  });

  it('links that are in the target already are not followed', () => {
    mkdirSync(target);
    symlinkSync('../outside', join(target, 'folder'));
    symlinkSync('../outside/kept', join(target, 'file'));
    const warnings = unpack(
      archive({ name: 'data/folder/evil', text: 'evil' }, { name: 'data/file', text: 'evil' }),
    );
    assert.equal(warnings.filter((text) => text.includes('is behind a link')).length, 2);
    assertNothingOutside();
  });

  for (const [title, bytes] of [
    ['a truncated file', archive({ name: 'data/a', text: 'x'.repeat(2000) }).subarray(0, 1000)],
    ['a wrong checksum', Buffer.alloc(1024, 'x')],
    ['a truncated header', Buffer.alloc(100, 'x')],
  ] as const)
    it(`an archive with ${title} is refused with an error`, () => {
      assert.throws(() => unpack(bytes), { name: 'TarError' });
    });
});
