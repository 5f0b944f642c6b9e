import assert from 'node:assert/strict';
import { CborError, cborFromJson, readCbor, readCborInPieces, writeCbor } from '@orch/machinery/cbor';
import { atOnce } from '@orch/machinery/concurrency';
import { encodeJson, isJsonObject, jsonEquals } from '@orch/machinery/json';
import { type FuzzTarget, refusalOf, unlessRefused } from '../target.ts';

/** A value that was read is the same after it was written and read again, also when it was translated from JSON. */
export const target: FuzzTarget = {
  seeds: [
    writeCbor({ kind: 'ConfigMap', data: { a: 'b' }, list: [1, -1, 1.5, 2 ** 40, true, false, null] }),
    Buffer.from('d9d9f7bf6161015f4161426262ff62c3a4fb3ff0000000000000ff', 'hex'),
    Buffer.from('a16161d74301020382c24101f97e00', 'hex'),
    Buffer.from('9f82f5f6a0ff', 'hex'),
  ],
  check(data) {
    const read = unlessRefused(() => readCbor(data), CborError);
    assert.equal(
      refusalOf(() => atOnce(readCborInPieces(data)), CborError),
      refusalOf(() => readCbor(data), CborError),
    );
    if (read === undefined) return;
    assert.ok(jsonEquals(readCbor(writeCbor(read.value)), read.value), 'written and read again');
    if (isJsonObject(read.value) || Array.isArray(read.value)) {
      const translated = cborFromJson(encodeJson(read.value));
      assert.ok(jsonEquals(readCbor(translated), read.value), 'translated from JSON');
    }
  },
};
