import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { fieldAt } from './field-path.ts';
import { readStructural } from './read-structural.ts';

const schema = readStructural(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          'a.b': { type: 'string' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          "it's": { type: 'boolean' },
        },
      },
    },
  },
  namesFor('orch'),
);

/** The type of the field at a path, with its steps, keys of maps in brackets; or the problem. */
function found(path: string, allowsBrackets = true): string {
  const field = fieldAt(schema, path, { allowsBrackets });
  if (typeof field === 'string') return field;
  const steps = field.steps.map(({ isKey, name }) => (isKey ? `[${name}]` : name));
  return `${steps.join('/')}: ${field.schema?.type}`;
}

describe('field paths of definitions', () => {
  const rows: readonly (readonly [path: string, expected: string])[] = [
    ['.spec.size', 'spec/size: integer'],
    ["['spec'].size", 'spec/size: integer'],
    [".spec['a.b']", 'spec/a.b: string'],
    [".spec['it\\'s']", "spec/it's: boolean"],
    ['.spec.labels.x', 'spec/labels/[x]: string'],
    [".spec.labels['x/y']", 'spec/labels/[x/y]: string'],
    ['.spec.none', 'does not refer to a valid field'],
    ['.spec.size.deeper', 'does not refer to a valid field'],
    ['.spec.constructor', 'does not refer to a valid field'],
    ['.spec[0]', 'expected single quoted string but got 0'],
    [".spec['size'", 'expected ] but got the end'],
    [".spec['\\q']", "expected single quoted string but got '\\q'"],
    ['.spec.', 'unexpected end of JSON path'],
    ['spec', 'expected [ or . but got: spec'],
  ];
  for (const [path, expected] of rows) {
    it(`the field path ${path} is resolved as ${expected}`, () => assert.equal(found(path), expected));
  }

  it('field paths with brackets are rejected where brackets are not allowed', () =>
    assert.equal(found(".spec['size']", false), 'array notation is not allowed'));
});
