import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import fc from 'fast-check';
import { BackupError, type BackupErrorCode } from './backup-error.ts';
import { openBackup, verifyBackup } from './decode-backup.ts';
import type { Entry } from './format/entry.ts';
import type { BackupSecret } from './keys/backup-key.ts';
import { chunked, chunksOf, entry, keySecret, origin, partsOf } from './testing/backups.ts';

const failsWith =
  (...codes: BackupErrorCode[]) =>
  (error: unknown) => {
    assert.ok(error instanceof BackupError, `expected a BackupError, got ${error}`);
    assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
    return true;
  };

async function entriesOf(bytes: Buffer, secret?: BackupSecret): Promise<readonly Entry[]> {
  await using backup = await openBackup(chunked(bytes, 1000), secret);
  const all: Entry[] = [];
  for await (const entries of backup.entries) all.push(...entries);
  return all;
}

/** Two frames of entries. */
const parts = () =>
  partsOf(
    [entry('a', randomBytes(1100 * 1024)), entry('b', 'orch:enc:aesgcm:v1:key1:xxxx', 30)],
    [entry('c', randomBytes(1100 * 1024))],
  );

const forms: readonly (readonly [string, () => BackupSecret | undefined])[] = [
  ['without a key', () => undefined],
  ['encrypted with a key', keySecret],
];

describe('a backup', () => {
  for (const [form, secretOf] of forms) {
    it(`${form} returns its header, entries and summary`, async () => {
      const arbitrary = fc.record({
        name: unicodeString({ minLength: 1, maxLength: 20 }),
        value: fc.uint8Array({ maxLength: 300 }),
        ttlSeconds: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
        createRevision: fc.maxSafeNat(),
        modRevision: fc.maxSafeNat(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(arbitrary, { maxLength: 30 }), async (given) => {
          const secret = secretOf();
          const entries = given.map(({ name, value, ...rest }, i) => ({
            ...rest,
            key: `${String(i).padStart(3, '0')}${name}`,
            value: Buffer.from(value),
          }));
          const bytes = Buffer.concat(await chunksOf(partsOf(entries.slice(0, 9), entries.slice(9)), secret));
          const { header, summary } = await verifyBackup(chunked(bytes), secret);
          assert.deepEqual({ ...header, encryption: undefined }, { ...origin, encryption: undefined });
          assert.equal(summary.entries, entries.length);
          assert.deepEqual(await entriesOf(bytes, secret), entries);
        }),
        { numRuns: 50 },
      );
    });

    it(`${form} is refused when it is cut off at any place`, async () => {
      const secret = secretOf();
      const bytes = Buffer.concat(await chunksOf(partsOf([entry('a'), entry('b')], [entry('c')]), secret));
      for (let length = 0; length < bytes.length; length++) {
        const cut = bytes.subarray(0, length);
        await assert.rejects(verifyBackup(chunked(cut), secret), failsWith('truncated'), `at ${length}`);
      }
    });

    it(`${form} is refused when any bit of it was changed`, async () => {
      const secret = secretOf();
      const bytes = Buffer.concat(await chunksOf(partsOf([entry('a'), entry('b')], [entry('c')]), secret));
      for (let bit = 0; bit < 8 * bytes.length; bit += 3) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const expected = failsWith('damaged', 'truncated', 'notABackup');
        await assert.rejects(verifyBackup(chunked(changed), secret), expected, `bit ${bit}`);
      }
    });

    it(`${form} is refused when frames are missing, repeated, exchanged, of another backup, or follow the end`, async () => {
      const secret = secretOf();
      const [header, a, b, end] = await chunksOf(parts(), secret);
      const [, otherA, , otherEnd] = await chunksOf(parts(), secret, { ...origin, id: 'other' });
      assert.ok(header && a && b && end && otherA && otherEnd);
      for (const [what, frames] of [
        ['a frame is missing', [header, a, end]],
        ['all frames are missing', [header, end]],
        ['a frame is repeated', [header, a, a, b, end]],
        ['frames are exchanged', [header, b, a, end]],
        ['a frame is of another backup', [header, otherA, b, end]],
        ['the end is of another backup', [header, a, b, otherEnd]],
        ['the end is repeated', [header, a, b, end, end]],
        ['a byte follows', [header, a, b, end, Buffer.alloc(1)]],
      ] as const)
        await assert.rejects(
          verifyBackup(chunked(Buffer.concat(frames), 65536), secret),
          failsWith('damaged'),
          what,
        );
    });
  }

  for (const marker of ['orch:enc:', 'k8s:enc:'])
    it(`a backup counts values that servers encrypt with the prefix ${marker}`, async () => {
      const parts = partsOf([entry('a', `${marker}secretbox:v1:key1:xxxx`), entry('b', '{}')]);
      const { summary } = await verifyBackup(chunked(Buffer.concat(await chunksOf(parts))), undefined);
      assert.deepEqual(summary.encryptedAtRest, { [`${marker}secretbox:v1:key1:`]: 1 });
    });

  it('a backup names keys of values that are encrypted at rest', async () => {
    const { summary } = await verifyBackup(chunked(Buffer.concat(await chunksOf(parts())), 65536), undefined);
    assert.deepEqual(summary.encryptedAtRest, { 'orch:enc:aesgcm:v1:key1:': 1 });
  });

  it('a backup of another kind of file is refused', async () => {
    for (const text of ['', 'orch', 'PK\x03\x04 something else entirely']) {
      const expected = failsWith('notABackup', 'truncated');
      await assert.rejects(verifyBackup(chunked(Buffer.from(text)), undefined), expected);
    }
  });

  it('a backup that is encrypted contains no plain text, is read with its passphrase only, and names what is missing', async () => {
    const secret: BackupSecret = { kind: 'passphrase', passphrase: Buffer.from('correct horse') };
    const bytes = Buffer.concat(
      await chunksOf(partsOf([entry('secrets/x', 'swordfish'.repeat(50))]), secret),
    );
    assert.ok(!bytes.includes('swordfish') && !bytes.includes('secrets'));
    assert.equal((await entriesOf(bytes, secret)).length, 1);
    const wrong: BackupSecret = { kind: 'passphrase', passphrase: Buffer.from('correct hors') };
    await assert.rejects(entriesOf(bytes, wrong), failsWith('wrongKey'));
    await assert.rejects(entriesOf(bytes, keySecret()), failsWith('keyRequired'));
    await assert.rejects(entriesOf(bytes), failsWith('keyRequired'));
  });

  it('a backup uses other keys for each copy', async () => {
    const secret = keySecret();
    const copies = await Promise.all([1, 2].map(() => chunksOf(partsOf([entry('a')]), secret)));
    const [first, second] = copies.map((chunks) => chunks.at(1));
    assert.ok(first !== undefined && second !== undefined && !first.equals(second));
  });
});
