import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson, isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import fc from 'fast-check';
import { compileCodec } from '../codec/compiler.ts';
import { f, items, struct } from '../declare.ts';
import { arbitraryInput } from '../testing/arbitrary.ts';
import { applyDifferences, differences, readDifferences } from './differences.ts';
import type { Lens } from './lens.ts';
import { lossless } from './lossless.ts';

const names = namesFor('orch');

const metadata = f.struct(
  1,
  struct('test.v1.Meta', 'Metadata.', { annotations: f.map(12, items.string, { doc: 'Annotations.' }) }),
  { doc: 'Metadata.', presence: 'always' },
);

/** A port by name or number; the older version has a field for only one of them. */
const Hub = struct(
  'test.v2.Thing',
  'The hub.',
  {
    metadata,
    portName: f.string(2, { doc: 'Name of a port.' }),
    portNumber: f.int32(3, { doc: 'Number of a port.', presence: 'pointer' }),
    list: f.list(4, items.int32, { doc: 'Numbers.' }),
  },
  { typeMeta: true },
);

const Older = struct(
  'test.v1.Thing',
  'The older version.',
  {
    metadata,
    port: f.intOrString(2, { doc: 'Name or number of a port.', presence: 'always' }),
    list: f.list(4, items.int32, { doc: 'Numbers.' }),
    note: f.string(5, { doc: 'Of the older version only.' }),
  },
  { typeMeta: true },
);

const carrier = 'example.com/number';

/** Converts what both versions can express, and reads a number from an annotation without validating it. */
const port: Lens = {
  toHub(value) {
    const { port: older } = value;
    delete value['port'];
    if (typeof older === 'string') value['portName'] = older;
    else if (older !== 0) value['portNumber'] = older;
    const annotations = isJsonObject(value['metadata']) ? value['metadata']['annotations'] : undefined;
    if (isJsonObject(annotations) && carrier in annotations) {
      value['portNumber'] = JSON.parse(String(annotations[carrier]));
      delete annotations[carrier];
    }
  },
  fromHub(value) {
    value['port'] = value['portName'] ?? value['portNumber'] ?? 0;
    delete value['portName'];
    delete value['portNumber'];
  },
};

const lens = lossless(port, { hub: Hub, older: Older, carriers: () => [carrier] });

const up = (value: object): MutableJsonObject => {
  const copy = cloneJson(value) as MutableJsonObject;
  lens.toHub(copy, { names, root: copy });
  return copy;
};
const down = (value: object): MutableJsonObject => {
  const copy = cloneJson(value) as MutableJsonObject;
  lens.fromHub(copy, { names, root: copy });
  return copy;
};

const noted = 'non-convertible.orch.io/test.v2.Thing';
const annotationsOf = (value: MutableJsonObject): MutableJsonObject =>
  (value['metadata'] as { annotations?: MutableJsonObject }).annotations ?? {};

describe('lossless lenses', () => {
  it('lossless lenses add no annotation to objects that both versions can represent', () => {
    assert.deepEqual(down({ metadata: {}, portName: 'http' }), { metadata: {}, port: 'http' });
    assert.deepEqual(up({ metadata: {}, port: 80 }), { metadata: {}, portNumber: 80 });
  });

  it('lossless lenses keep values that the older version cannot represent', () => {
    const hub = { metadata: {}, portName: 'http', portNumber: 80 };
    const older = down(hub);
    assert.equal(older['port'], 'http');
    assert.deepEqual(JSON.parse(String(annotationsOf(older)[noted])), [{ path: ['portNumber'], is: 80 }]);
    assert.deepEqual(up(older), hub);
  });

  it('lossless lenses keep values that the hub cannot represent', () => {
    const older = { metadata: {}, port: 80, note: 'n' };
    const hub = up(older);
    assert.deepEqual(hub['portNumber'], 80);
    assert.equal('note' in hub, false);
    assert.deepEqual(down(hub), older);
  });

  it('later changes by a client take precedence over the annotation', () => {
    const older = down({ metadata: {}, portNumber: 0, list: [1] });
    assert.deepEqual(Object.keys(annotationsOf(older)), [noted]);
    assert.deepEqual(up({ ...older, port: 8080, list: [2] }), { metadata: {}, portNumber: 8080, list: [2] });
    assert.deepEqual(up({ ...older, list: [2] }), { metadata: {}, portNumber: 0, list: [2] });
  });

  for (const [title, text] of [
    ['a value of another type', '[{"path":["portNumber"],"is":{"a":1}}]'],
    ['no JSON', '['],
    ['no list', '{"path":["list"],"is":[1]}'],
    ['a path of no steps', '[{"path":[{}],"is":1}]'],
  ] as const) {
    it(`an annotation with ${title} is ignored and kept`, () => {
      const older = { metadata: { annotations: { [noted]: text } }, port: 'http' };
      const hub = up(older);
      assert.equal(hub['portName'], 'http');
      assert.equal('portNumber' in hub, false);
      assert.equal(annotationsOf(hub)[noted], text);
    });
  }

  it('an annotation cannot set values that the version itself can represent', () => {
    const list = [{ path: ['portName'], is: 'Bad_' }];
    const older = { metadata: { annotations: { [noted]: JSON.stringify(list) } }, port: 80 };
    assert.deepEqual(up(older), { metadata: older.metadata, portNumber: 80 });
  });

  it('annotations with values of a wrong type are hidden from a lens', () => {
    const older = { metadata: { annotations: { [carrier]: '"text"' } }, port: 'http' };
    assert.deepEqual(up(older), { metadata: older.metadata, portName: 'http' });
    assert.equal(
      up({ metadata: { annotations: { [carrier]: '7' } }, port: 0 })['portNumber'],
      7,
      'others it may see',
    );
  });

  it('an annotation cannot write metadata, kind or a prototype', () => {
    const list = [
      { path: ['metadata', 'annotations'], is: { evil: 'yes' } },
      { path: ['kind'], is: 'Secret' },
      { path: ['__proto__', 'polluted'], is: 'yes' },
      { path: [], is: {} },
    ];
    const hub = up({ metadata: { annotations: { [noted]: JSON.stringify(list) } }, port: 80 });
    assert.deepEqual(hub, { metadata: {}, portNumber: 80 });
    assert.equal(({} as MutableJsonObject)['polluted'], undefined);
  });

  it('generated objects survive a round trip even when the lens drops all fields', () => {
    const nothing: Lens = {
      toHub(value) {
        for (const name of Object.keys(value)) if (name !== 'metadata') delete value[name];
      },
      fromHub(value) {
        for (const name of Object.keys(value)) if (name !== 'metadata') delete value[name];
      },
    };
    const worst = lossless(nothing, { hub: Hub, older: Older });
    const codec = compileCodec(Hub, names);
    fc.assert(
      fc.property(arbitraryInput(Hub, 4), (input) => {
        const start = codec.decode(input).value as MutableJsonObject;
        const value = cloneJson(start);
        worst.fromHub(value, { names, root: value });
        worst.toHub(value, { names, root: value });
        assert.deepEqual(codec.decode(value).value, start);
      }),
    );
  });
});

describe('differences between values', () => {
  it('applying differences neither extends lists nor leaves holes in them', () => {
    const value = { list: [1, 2] };
    applyDifferences(value, [
      { path: ['list', 4_294_967_294], is: 1 },
      { path: ['list', 2], is: 1 },
      { path: ['list', 0], was: 1 },
      { path: ['list', 'length'], was: 2, is: 9 },
      { path: ['list', 1], was: 2, is: 3 },
    ]);
    assert.deepEqual(value, { list: [1, 3] });
  });

  it('differences between two values applied to the first give the second', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        const was = { value: a } as MutableJsonObject;
        const is = { value: b } as MutableJsonObject;
        const list = readDifferences(JSON.parse(JSON.stringify(differences(was, is))));
        assert.ok(list);
        const value = JSON.parse(JSON.stringify(was)) as MutableJsonObject;
        applyDifferences(value, list);
        assert.deepEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(is)));
      }),
    );
  });

  it('differences are recorded at the deepest possible path', () => {
    assert.deepEqual(differences({ a: [{ b: 1 }, { b: 2, c: 3 }] }, { a: [{ b: 1 }, { b: 4 }], d: 0 }), [
      { path: ['a', 1, 'b'], was: 2, is: 4 },
      { path: ['a', 1, 'c'], was: 3 },
      { path: ['d'], is: 0 },
    ]);
  });
});
