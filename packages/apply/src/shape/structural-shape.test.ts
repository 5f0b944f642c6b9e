import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testKind } from '@orch/schema/testing';
import { ObjectMeta } from '../testing/deck.ts';
import type { Shape } from './shape.ts';
import { Shapes } from './shapes.ts';

const names = namesFor('orch');
const text = { type: 'string' };

/** A short form of a value's shape and ownership. */
function outline(shape: Shape | undefined): unknown {
  switch (shape?.kind) {
    case 'struct':
      return {
        ...(shape.atomic ? { atomic: true } : {}),
        ...(shape.rest === undefined ? {} : { rest: shape.rest.kind }),
        fields: Object.fromEntries([...shape.fields].map(([name, { shape }]) => [name, outline(shape)])),
      };
    case 'map':
      return { map: outline(shape.values), ...(shape.atomic ? { atomic: true } : {}) };
    case 'list':
      return {
        list: outline(shape.items),
        by: shape.identity,
        keys: shape.keys.map(({ name, absent }) => [name, absent]),
      };
    case 'scalar':
      return shape.expected;
    default:
      return shape?.kind;
  }
}

function shapeOfSpec(spec: object): unknown {
  const kind = testKind({ type: 'object', properties: { spec } }, names, ObjectMeta);
  return outline(new Shapes(names).ofObject(kind).root.fields.get('spec')?.shape);
}

describe('how values of custom kinds are owned', () => {
  const item = { type: 'object', properties: { k: { ...text, default: 'x' }, v: { type: 'integer' } } };
  const fields = { k: 'a string', v: 'a number' };
  const rows: readonly (readonly [title: string, spec: object, expected: unknown])[] = [
    ['fields of objects are owned one by one', item, { fields }],
    ['an atomic object is owned whole', { ...item, 'x-orch-map-type': 'atomic' }, { atomic: true, fields }],
    ['maps are owned by entry', { type: 'object', additionalProperties: text }, { map: 'a string' }],
    ['lists are owned whole', { type: 'array', items: text }, { list: 'a string', by: 'none', keys: [] }],
    [
      'sets are owned by item',
      { type: 'array', items: text, 'x-orch-list-type': 'set' },
      { list: 'a string', by: 'value', keys: [] },
    ],
    [
      'lists of type map are owned by the keys of their items, which may have defaults',
      { type: 'array', items: item, 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['v', 'k'] },
      {
        list: { fields },
        by: 'keys',
        keys: [
          ['k', 'x'],
          ['v', undefined],
        ],
      },
    ],
    [
      'preserved fields are free',
      { type: 'object', 'x-orch-preserve-unknown-fields': true },
      { rest: 'free', fields: {} },
    ],
    ['values without a type are free', { 'x-orch-preserve-unknown-fields': true }, 'free'],
    ['an integer or a string is a scalar', { 'x-orch-int-or-string': true }, 'a number or a string'],
  ];
  for (const [title, spec, expected] of rows) {
    it(title, () => assert.deepEqual(shapeOfSpec(spec), expected));
  }

  it('metadata of embedded objects is owned as that of all objects', () => {
    const spec = { type: 'object', 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true };
    const found = shapeOfSpec(spec) as { fields: { metadata: { fields: object } } };
    assert.ok('finalizers' in found.fields.metadata.fields);
  });
});
