import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { cachedResourceOf, RecentWrites } from '../resource/cached-resource.ts';
import { formsOf, storedRows } from '../testing/stored-rows.ts';
import { conversionMessages } from './conversion-codecs.ts';
import type { Encoded, StorageCodec } from './storage-codec.ts';

const names = namesFor('orch');
/** The stored bytes and the hub JSON of an object; the error where it cannot be encoded. */
function encoded(form: StorageCodec, object: ApiObject): { value?: Buffer; hub: string } {
  try {
    const { value, hub } = form.encode(cloneJson(object));
    return { value, hub: String(hub) };
  } catch (error) {
    return { hub: String(error) };
  }
}

describe('recent writes equal the decoded stored bytes', () => {
  for (const [title, stored] of storedRows()) {
    const { row, release } = stored;
    const [hub] = row.versions;
    assert.ok(hub !== undefined);
    const { json, protobuf, codecs } = formsOf(stored);
    const messages = conversionMessages(names, release);
    const recentWrites = new RecentWrites();
    const caching = cachedResourceOf(row, { names, codecs, messages, recentWrites });
    const reading = cachedResourceOf(row, { names, codecs, messages });
    const apiVersion = names.apiVersion(hub.group ?? row.group, hub.version);
    const metadata = { name: 'n', namespace: row.namespaced ? 'ns' : undefined, labels: { a: 'b' } };

    it(`recent writes equal decoded bytes: ${title}, release ${release}`, () => {
      fc.assert(
        fc.property(arbitraryInput(hub.schema, 4), (input) => {
          const sent = { ...(input as object), kind: row.kind, apiVersion, metadata };
          const object = codecs.compile(hub.schema).decode(sent).value;
          for (const form of [json, protobuf]) {
            let made: Encoded;
            try {
              made = form.encode(cloneJson(object));
            } catch {
              continue;
            }
            recentWrites.put(`${caching.prefix}ns/n`, made);
            // The watch delivers the bytes in a separate buffer.
            const arrived = Buffer.from(made.value);
            assert.deepEqual(caching.ingest(arrived, 7, 'ns/n'), reading.ingest(arrived, 7, 'ns/n'));
          }
        }),
        { numRuns: 25 },
      );
    });
  }
});

describe('objects stored as Protobuf equal those stored as JSON', () => {
  for (const [title, stored] of storedRows()) {
    const { row, release } = stored;
    const [hub] = row.versions;
    assert.ok(hub !== undefined);
    const { json, protobuf, codecs } = formsOf(stored);
    const apiVersion = names.apiVersion(hub.group ?? row.group, hub.version);

    it(`both stored encodings are equal: ${title}, release ${release}`, () => {
      fc.assert(
        fc.property(arbitraryInput(hub.schema, 4), (input) => {
          const sent = { ...(input as object), kind: row.kind, apiVersion };
          const object = codecs.compile(hub.schema).decode(sent).value;
          const asJson = encoded(json, object);
          const asProtobuf = encoded(protobuf, object);
          assert.equal(asProtobuf.hub, asJson.hub);
          if (asJson.value === undefined || asProtobuf.value === undefined) return;
          for (const form of [json, protobuf]) {
            assert.equal(String(form.read(asProtobuf.value).json), asJson.hub);
            assert.equal(String(form.read(asJson.value).json), asJson.hub);
            assert.equal(form.isCurrent(asProtobuf.value), form === protobuf);
            assert.equal(form.isCurrent(asJson.value), form === json);
          }
        }),
        { numRuns: 12 },
      );
    });
  }
});
