import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST_RELEASE } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { codecCompiler } from '@orch/schema';
import { ApiFixture } from '@orch/server/testing';
import { largeFieldsOf } from './large-fields.ts';

/** Enough for many pieces. */
const BYTES = 20_000;

describe('decoding of large objects', () => {
  it('a large object of every kind is decoded in pieces as it is decoded at once, whichever field is large', async () => {
    await using api = await ApiFixture.open({
      release: NEWEST_RELEASE,
      isEnabled: () => true,
      maintainsApiServices: false,
    });
    const compiler = codecCompiler(namesFor('orch'));
    const options = { defaults: true, reportUnknown: true };
    const seen = new Set<string>();
    for (const { served, field, schema, objectOf } of await largeFieldsOf(api, NEWEST_RELEASE)) {
      if (seen.has(field.declaration)) continue;
      seen.add(field.declaration);
      const codec = compiler.compile(schema);
      const object = objectOf(BYTES);
      const pieces = atOnce(codec.decodeInPieces(object, options));
      const where = `${served.apiVersion} ${served.kind} ${field.path}`;
      assert.equal(JSON.stringify(pieces), JSON.stringify(codec.decode(object, options)), where);
    }
    assert.ok(seen.size > 200, `${seen.size} fields`);
  });
});
