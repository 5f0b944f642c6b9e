import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findRevision, withRevision } from './with-revision.ts';

describe('withRevision of JSON', () => {
  it('withRevision changes only metadata.resourceVersion, at any position in the JSON', () => {
    const name = fc.oneof(
      fc.constantFrom('resourceVersion', 'metadata', 'a\\"', '}', '"resourceVersion":"1"'),
      fc.string(),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(name, tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    const rest = fc.dictionary(name, value, { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.record({ before: rest, after: rest, meta: rest, rev: fc.nat() }),
        fc.nat(),
        fc.nat(3),
        ({ before, after, meta, rev }, next, indent) => {
          delete before['metadata'];
          delete after['metadata'];
          const text = (r: number): string =>
            JSON.stringify(
              { ...before, metadata: { ...meta, resourceVersion: String(r) }, ...after },
              null,
              indent,
            );
          assert.equal(withRevision(Buffer.from(text(rev)), next, -1).toString(), text(next));
        },
      ),
    );
  });

  it('a known offset is used, and JSON without a resourceVersion is unchanged', () => {
    const json = Buffer.from('{"metadata":{"resourceVersion":"7","name":"a"}}');
    const offset = findRevision(json);
    assert.equal(offset, 32);
    assert.equal(
      withRevision(json, 1234, offset).toString(),
      '{"metadata":{"resourceVersion":"1234","name":"a"}}',
    );
    for (const text of [
      '{}',
      '',
      '[]',
      '{"metadata":{}}',
      '{"metadata":{"resourceVersion":7}}',
      '{"metadata"',
      '{"a":"b',
    ]) {
      assert.equal(withRevision(Buffer.from(text), 5, -1).toString(), text);
    }
  });
});
