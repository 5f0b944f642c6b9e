import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MutableJsonObject } from '@orch/machinery/json';
import { applyConfig, type Refused } from '../index.ts';
import { deckKind } from '../testing/deck.ts';

function refusal(config: unknown): Refused {
  const result = applyConfig({
    versions: deckKind,
    apiVersion: 'test/v1',
    manager: 'alice',
    now: '2024-01-01T00:00:00Z',
    live: undefined,
    config,
    force: false,
  });
  assert.equal(result.kind, 'refused');
  return result;
}

const head = { apiVersion: 'test/v1', kind: 'Deck', metadata: { name: 'd' } };

describe('configurations that are rejected', () => {
  const whole: readonly (readonly [title: string, config: unknown, reason: Refused['reason']])[] = [
    ['that is not an object', [1], 'malformed'],
    ['that is null', null, 'malformed'],
    ['without metadata', { apiVersion: 'test/v1' }, 'malformed'],
    ['with metadata that is not an object', { ...head, metadata: 'd' }, 'malformed'],
    ['with managed fields', { ...head, metadata: { name: 'd', managedFields: [{}] } }, 'managedFields'],
    [
      'with an empty list of managed fields',
      { ...head, metadata: { name: 'd', managedFields: [] } },
      'managedFields',
    ],
    ['of another version', { ...head, apiVersion: 'test/v2' }, 'version'],
    ['without a version', { ...head, apiVersion: undefined }, 'version'],
  ];
  for (const [title, config, reason] of whole) {
    it(`a configuration ${title} is rejected`, () => assert.equal(refusal(config).reason, reason));
  }

  const fields: readonly (readonly [title: string, spec: MutableJsonObject, problems: readonly string[]])[] =
    [
      ['a number for a string', { title: 5 }, ['FieldValueTypeInvalid spec.title']],
      ['a string for a number', { replicas: '3' }, ['FieldValueTypeInvalid spec.replicas']],
      ['a string for a boolean', { paused: 'yes' }, ['FieldValueTypeInvalid spec.paused']],
      ['an object for a list', { tags: {} }, ['FieldValueTypeInvalid spec.tags']],
      ['a list for an object', { strategy: [] }, ['FieldValueTypeInvalid spec.strategy']],
      ['a list for a map', { data: ['a'] }, ['FieldValueTypeInvalid spec.data']],
      ['a scalar for a free object', { raw: 5 }, ['FieldValueTypeInvalid spec.raw']],
      ['a number in a map of strings', { data: { a: 1 } }, ['FieldValueTypeInvalid spec.data[a]']],
      ['a boolean for a quantity', { size: true }, ['FieldValueTypeInvalid spec.size']],
      ['a number for a time', { since: 5 }, ['FieldValueTypeInvalid spec.since']],
      [
        'a wrong type inside an atomic struct',
        { selector: { match: { a: 1 } } },
        ['FieldValueTypeInvalid spec.selector.match[a]'],
      ],
      ['a wrong type inside an atomic list', { args: ['a', 1] }, ['FieldValueTypeInvalid spec.args[1]']],
      [
        'an item twice',
        { containers: [{ name: 'x' }, { name: 'y' }, { name: 'x' }] },
        ['FieldValueDuplicate spec.containers[2]'],
      ],
      [
        'an item twice by a default key',
        { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
        ['FieldValueDuplicate spec.ports[1]'],
      ],
      ['a value of a set twice', { tags: ['a', 'a'] }, ['FieldValueDuplicate spec.tags[1]']],
      [
        'an item without its key',
        { containers: [{ image: '1' }] },
        ['FieldValueRequired spec.containers[0].name'],
      ],
      [
        'an item whose key is null',
        { containers: [{ name: null }] },
        ['FieldValueRequired spec.containers[0].name'],
      ],
      [
        'an item without one of its keys',
        { ports: [{ protocol: 'UDP' }] },
        ['FieldValueRequired spec.ports[0].port'],
      ],
      ['an item that is null', { containers: [null] }, ['FieldValueTypeInvalid spec.containers[0]']],
      [
        'an item that is not an object',
        { containers: ['x'] },
        ['FieldValueTypeInvalid spec.containers[0]', 'FieldValueTypeInvalid spec.containers[0]'],
      ],
      ['a null in a set', { tags: [null] }, ['FieldValueInvalid spec.tags[0]']],
      [
        'an object as a key',
        { containers: [{ name: {} }] },
        ['FieldValueInvalid spec.containers[0].name', 'FieldValueTypeInvalid spec.containers[0].name'],
      ],
      [
        'all mistakes at once',
        { title: 5, replicas: 'x' },
        ['FieldValueTypeInvalid spec.title', 'FieldValueTypeInvalid spec.replicas'],
      ],
    ];
  for (const [title, spec, problems] of fields) {
    it(`a configuration is rejected for ${title}`, () => {
      const { reason, errors } = refusal({ ...head, spec });
      assert.equal(reason, 'fields');
      assert.deepEqual(
        errors.map(({ type, field }) => `${type} ${field}`),
        problems,
      );
    });
  }

  it('a rejection lists undeclared fields at every depth', () => {
    const { unknown, message } = refusal({
      ...head,
      spec: { frob: 1, containers: [{ name: 'x', imgae: '1' }], template: { metadata: { nmae: 'x' } } },
      extra: {},
    });
    assert.deepEqual(unknown, [
      'spec.frob',
      'spec.containers[0].imgae',
      'spec.template.metadata.nmae',
      'extra',
    ]);
    assert.match(message, /spec\.frob: field not declared in schema/);
  });

  it('a rejection lists at most a hundred errors', () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));
    const extra = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]));
    const { errors, unknown } = refusal({ ...head, spec: { data, ...extra } });
    assert.deepEqual([errors.length, unknown.length], [100, 100]);
  });
});
