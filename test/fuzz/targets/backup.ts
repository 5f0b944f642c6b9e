import assert from 'node:assert/strict';
import { BackupError, encodeBackup, verifyBackup } from '@orch/backup';
import { type FuzzTarget, splitInTwo } from '../target.ts';

async function* streamOf<T>(parts: Iterable<T>): AsyncGenerator<T> {
  yield* parts;
}

const origin = { id: 'i', createdAt: '2024-01-01T00:00:00Z', revision: 7, prefix: '/registry/' };
const entries = [
  {
    key: '/registry/configmaps/default/a',
    value: Buffer.from('{"kind":"ConfigMap"}'),
    createRevision: 3,
    modRevision: 5,
    ttlSeconds: undefined,
  },
  {
    key: '/registry/leases/default/b',
    value: Buffer.from('{}'),
    createRevision: 7,
    modRevision: 7,
    ttlSeconds: 5,
  },
];

async function validBackup(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const parts = streamOf([entries]);
  for await (const chunk of encodeBackup(parts, { origin, key: undefined })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The result of reading a backup: its summary, or the code of the error. */
async function resultOf(parts: readonly Buffer[]): Promise<string> {
  try {
    return JSON.stringify(await verifyBackup(streamOf(parts), undefined));
  } catch (error) {
    if (error instanceof BackupError) return error.code;
    throw error;
  }
}

const valid = validBackup();
const result = valid.then((bytes) => resultOf([bytes]));

/** A changed backup is refused, and a backup is read in the same way in one part and in two. */
export const target: FuzzTarget = {
  seeds: valid.then((bytes) => [bytes, bytes.subarray(0, bytes.length - 3), Buffer.concat([bytes, bytes])]),
  async check(data) {
    const read = await resultOf([data]);
    assert.equal(await resultOf(splitInTwo(data)), read);
    assert.equal(read === (await result), data.equals(await valid), read);
  },
};
