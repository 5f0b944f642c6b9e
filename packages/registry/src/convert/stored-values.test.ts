import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { formsOf, storedRows } from '../testing/stored-rows.ts';
import { readStoredValues } from '../testing/stored-values.ts';
import type { StorageCodec } from './storage-codec.ts';

const { commit, values } = readStoredValues();
const rows = storedRows();

const howToUpdate =
  `Stores contain what commit ${commit} wrote. If the new bytes are intended, and replicas of that commit can read them during a ` +
  'rolling upgrade, run scripts/node scripts/write-stored-values.ts and commit the file.';

/** The stored bytes of what is read from stored bytes. */
const rewritten = (form: StorageCodec, bytes: Buffer): Buffer =>
  form.encode(parseJson(form.read(bytes).json) as ApiObject).value;

describe(`objects that commit ${commit} stored`, () => {
  it('committed stored objects are of every kind in every stored version', () => {
    assert.deepEqual([...rows.keys()].toSorted(), values.map(({ title }) => title).toSorted(), howToUpdate);
  });

  for (const { title, json, protobuf } of values) {
    it(`committed stored objects are read, and written as the same bytes: ${title}`, () => {
      const row = rows.get(title);
      assert.ok(row !== undefined, howToUpdate);
      const forms = formsOf(row);
      const bytes = Buffer.from(protobuf, 'base64');
      assert.equal(String(rewritten(forms.json, Buffer.from(json))), json, howToUpdate);
      assert.equal(rewritten(forms.protobuf, bytes).toString('base64'), protobuf, howToUpdate);
      // Replicas with another flag of the stored media type read both.
      assert.deepEqual(forms.protobuf.read(Buffer.from(json)).json, forms.json.read(bytes).json);
    });
  }
});
