import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { encodeJson, JsonSyntaxError } from '@orch/machinery/json';
import fc from 'fast-check';
import { compileCodec } from './codec/compiler.ts';
import { peekMeta } from './peek-meta.ts';
import { isWithResourceVersion, resourceVersionSplice, withResourceVersion } from './stored-json.ts';
import { Widget } from './testing/widget.ts';

const codec = compileCodec(Widget, namesFor('orch'));

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', '"', '\\', '\\"', '<&>', '\u2028', '\u{1f600}', 'é', 'resourceVersion', '{}'),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const time = fc.constantFrom('2024-01-01T00:00:00Z', null);
const labels = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 4 });

const metadata = fc.record({
  name: maybe(text),
  generateName: maybe(text),
  namespace: maybe(text),
  selfLink: maybe(text),
  uid: maybe(text),
  generation: maybe(fc.nat()),
  creationTimestamp: maybe(time),
  deletionTimestamp: maybe(time),
  deletionGracePeriodSeconds: maybe(fc.nat()),
  labels: maybe(labels),
  annotations: maybe(labels),
  finalizers: maybe(fc.array(text, { maxLength: 3 })),
});

/** An object as the registry stores it: decoded, without a resourceVersion. */
const stored = fc.tuple(text, text, metadata, fc.dictionary(text, text, { maxKeys: 2 })).map(
  ([kind, apiVersion, meta, extra]) =>
    codec.decode({
      kind: kind || 'Widget',
      apiVersion: apiVersion || 'v1',
      metadata: meta,
      spec: { extra },
    }).value,
);

const withField = (object: { metadata: object }, resourceVersion: string): unknown => {
  const known = ['name', 'generateName', 'namespace', 'selfLink', 'uid'];
  const entries = Object.entries(object.metadata);
  const before = entries.filter(([name]) => known.includes(name));
  const after = entries.filter(([name]) => !known.includes(name));
  return {
    ...object,
    metadata: Object.fromEntries([...before, ['resourceVersion', resourceVersion], ...after]),
  };
};

describe('insertion of the resourceVersion', () => {
  for (const [title, before, after] of [
    [
      'after the name',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n"},"spec":{}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","resourceVersion":"7"},"spec":{}}',
    ],
    [
      'after the uid',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","uid":"u","creationTimestamp":null}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","uid":"u","resourceVersion":"7","creationTimestamp":null}}',
    ],
    [
      'as the first field',
      '{"kind":"K","apiVersion":"v1","metadata":{"generation":1}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"resourceVersion":"7","generation":1}}',
    ],
    [
      'into empty metadata',
      '{"kind":"K","apiVersion":"v1","metadata":{}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"resourceVersion":"7"}}',
    ],
    [
      'in place of an existing one',
      '{"kind":"K","apiVersion":"v1","metadata":{"uid":"u","resourceVersion":"123","generation":1}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"uid":"u","resourceVersion":"7","generation":1}}',
    ],
    [
      'in another order',
      '{"apiVersion":"v1","kind":"K","metadata":{"annotations":{"a":"b"},"name":"n"}}',
      '{"apiVersion":"v1","kind":"K","metadata":{"annotations":{"a":"b"},"name":"n","resourceVersion":"7"}}',
    ],
    [
      'with white space',
      '{ "kind":"K","apiVersion":"v1","metadata":{"name":"n"}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","resourceVersion":"7"}}',
    ],
    [
      'without metadata',
      '{"kind":"K","spec":{}}',
      '{"kind":"K","spec":{},"metadata":{"resourceVersion":"7"}}',
    ],
    [
      'where metadata is not an object',
      '{"kind":"K","metadata":null}',
      '{"kind":"K","metadata":{"resourceVersion":"7"}}',
    ],
    [
      'where a name is not a string',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":1}}',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":1,"resourceVersion":"7"}}',
    ],
  ] as const) {
    it(`the resourceVersion is inserted ${title}`, () => {
      assert.equal(withResourceVersion(Buffer.from(before), 7).toString(), after);
      assert.ok(isWithResourceVersion(Buffer.from(after), Buffer.from(before), 7));
      assert.ok(!isWithResourceVersion(Buffer.from(after), Buffer.from(before), 8));
    });
  }

  it('insertion of the resourceVersion equals parsing, setting and encoding', () => {
    fc.assert(
      fc.property(stored, fc.nat(), (object, revision) => {
        const bytes = encodeJson(object);
        const expected = encodeJson(withField(object, String(revision))).toString();
        assert.equal(withResourceVersion(bytes, revision).toString(), expected);
        assert.notEqual(resourceVersionSplice(bytes), undefined);
      }),
    );
  });

  it('served bytes are compared with stored ones as their served form is, whichever byte differs', () => {
    fc.assert(
      fc.property(stored, fc.nat(), fc.nat(), fc.nat(), (object, revision, other, at) => {
        const bytes = encodeJson(object);
        const served = withResourceVersion(bytes, revision);
        assert.ok(isWithResourceVersion(served, bytes, revision));
        assert.equal(isWithResourceVersion(served, bytes, other), other === revision);
        const changed = Buffer.from(served);
        changed.writeUInt8((changed[at % changed.length] ?? 0) ^ 1, at % changed.length);
        assert.ok(!isWithResourceVersion(changed, bytes, revision));
        assert.ok(!isWithResourceVersion(served.subarray(0, -1), bytes, revision));
      }),
    );
  });

  it('the resourceVersion can be replaced in served bytes', () => {
    fc.assert(
      fc.property(stored, fc.nat(), fc.nat(), (object, first, second) => {
        const bytes = encodeJson(object);
        const again = withResourceVersion(withResourceVersion(bytes, first), second);
        assert.equal(again.toString(), withResourceVersion(bytes, second).toString());
      }),
    );
  });

  it('insertion of the resourceVersion throws on truncated bytes', () => {
    assert.throws(() => withResourceVersion(Buffer.from('[]'), 1), TypeError);
    assert.throws(() => withResourceVersion(Buffer.from(''), 1), JsonSyntaxError);
    const bytes = Buffer.from(
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n\\"","uid":"u","generation":1}}',
    );
    for (let length = 0; length < 60; length++) {
      const cut = bytes.subarray(0, length);
      if (resourceVersionSplice(cut) === undefined)
        assert.throws(() => withResourceVersion(cut, 1), JsonSyntaxError);
    }
  });
});

describe('reading of metadata without parsing', () => {
  const expected = (object: { metadata: Record<string, unknown> }): unknown => ({
    name: object.metadata['name'] ?? '',
    namespace: object.metadata['namespace'] ?? '',
    uid: object.metadata['uid'] ?? '',
    creationTimestamp: object.metadata['creationTimestamp'] ?? undefined,
    deletionTimestamp: object.metadata['deletionTimestamp'] ?? undefined,
    labels: object.metadata['labels'] ?? {},
  });

  it('metadata of stored and served bytes equals the parsed metadata', () => {
    fc.assert(
      fc.property(stored, fc.nat(), (object, revision) => {
        const bytes = encodeJson(object);
        const meta = expected(object as { metadata: Record<string, unknown> });
        assert.deepEqual(peekMeta(bytes), meta);
        assert.deepEqual(peekMeta(withResourceVersion(bytes, revision)), meta);
      }),
    );
  });

  for (const [title, bytes, meta] of [
    [
      'in another order',
      '{"apiVersion":"v1","metadata":{"namespace":"s","name":"n","labels":{"a":"b"}},"kind":"K"}',
      { name: 'n', namespace: 's', labels: { a: 'b' } },
    ],
    [
      'with unknown fields',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","foo":{},"labels":{"a":"b"}}}',
      { name: 'n', labels: { a: 'b' } },
    ],
    [
      'with labels that are not a map of strings',
      '{"kind":"K","apiVersion":"v1","metadata":{"name":"n","labels":{"a":1,"b":"c"}}}',
      { name: 'n', labels: { b: 'c' } },
    ],
    ['without metadata', '{"kind":"K"}', {}],
  ] as const) {
    it(`metadata is read from objects ${title}`, () => {
      const nothing = {
        name: '',
        namespace: '',
        uid: '',
        creationTimestamp: undefined,
        deletionTimestamp: undefined,
        labels: {},
      };
      assert.deepEqual(peekMeta(Buffer.from(bytes)), { ...nothing, ...meta });
    });
  }
});
