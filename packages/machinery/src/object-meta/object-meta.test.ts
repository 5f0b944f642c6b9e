import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '../concurrency/index.ts';
import { MAX_FIELD_ERRORS } from '../field-error.ts';
import type { ObjectMeta } from '../meta.ts';
import { namesFor } from '../names/names.ts';
import { child, index, key } from './field-path.ts';
import { type ObjectMetaRules, validateObjectMeta, validatingObjectMeta } from './validate.ts';

const names = namesFor('orch');
const rules: ObjectMetaRules = { namespaced: true, nameFormat: 'dns1123subdomain', names };
const good: ObjectMeta = { name: 'a', namespace: 'default' };

/** Causes as clients see them: type and field. The same at once and in pieces. */
function causes(meta: ObjectMeta, more: Partial<ObjectMetaRules> = {}): string[] {
  const errors = validateObjectMeta(meta, { ...rules, ...more });
  assert.deepEqual(atOnce(validatingObjectMeta(meta, { ...rules, ...more })), errors);
  return errors.map((e) => `${e.type} ${e.field}`);
}

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

describe('validateObjectMeta on create', () => {
  for (const [title, meta, expected, more] of [
    ['a plain object is fine', {}, []],
    ['dots and hyphens in names are fine', { name: 'a.b-c' }, []],
    ['a malformed name', { name: 'A_b' }, ['FieldValueInvalid metadata.name']],
    ['a name of 254 characters', { name: 'a'.repeat(254) }, ['FieldValueInvalid metadata.name']],
    [
      'a name beyond the limit of the kind',
      { name: 'a'.repeat(53) },
      ['FieldValueInvalid metadata.name'],
      { maxNameLength: 52 },
    ],
    ['no name', { name: '' }, ['FieldValueRequired metadata.name']],
    [
      'a malformed generateName with the name made from it',
      { generateName: 'A_', name: 'A_x7k2p' },
      ['FieldValueInvalid metadata.generateName', 'FieldValueInvalid metadata.name'],
    ],
    ['a generateName that ends in a hyphen is fine', { generateName: 'web-', name: 'web-x7k2p' }, []],
    [
      'a name that is a path',
      { name: 'a/b' },
      ['FieldValueInvalid metadata.name'],
      { nameFormat: 'pathSegment' },
    ],
    ['no namespace', { namespace: '' }, ['FieldValueRequired metadata.namespace']],
    ['a malformed namespace', { namespace: 'a.b' }, ['FieldValueInvalid metadata.namespace']],
    [
      'a namespace on a cluster-scoped kind',
      {},
      ['FieldValueForbidden metadata.namespace'],
      { namespaced: false },
    ],
    ['a negative generation', { generation: -1 }, ['FieldValueInvalid metadata.generation']],
    ['a malformed label key', { labels: { 'a b': 'x' } }, ['FieldValueInvalid metadata.labels']],
    ['a malformed label value', { labels: { a: 'x y' } }, ['FieldValueInvalid metadata.labels']],
    ['a long label value', { labels: { a: 'a'.repeat(64) } }, ['FieldValueInvalid metadata.labels']],
    ['a label key with two slashes', { labels: { 'x/y/z': 'a' } }, ['FieldValueInvalid metadata.labels']],
    [
      'a malformed annotation key',
      { annotations: { 'a b': 'x' } },
      ['FieldValueInvalid metadata.annotations'],
    ],
    ['annotation prefixes in any case are fine', { annotations: { 'X.io/A': 'x y\n' } }, []],
    ['annotations at the size limit are fine', { annotations: { a: 'é'.repeat(131_071), b: '' } }, []],
    [
      'annotations beyond the size limit',
      { annotations: { a: 'é'.repeat(131_072) } },
      ['FieldValueTooLong metadata.annotations'],
    ],
    ['an unqualified finalizer', { finalizers: ['a'] }, ['FieldValueInvalid metadata.finalizers[0]']],
    [
      'a malformed finalizer',
      { finalizers: ['x.io/a', 'x y'] },
      ['FieldValueInvalid metadata.finalizers', 'FieldValueInvalid metadata.finalizers[1]'],
    ],
    ['the unqualified finalizers of the server are fine', { finalizers: ['orphan', 'orch', 'x.io/a'] }, []],
    [
      'the finalizer of the other naming',
      { finalizers: ['kubernetes'] },
      ['FieldValueInvalid metadata.finalizers[0]'],
    ],
    [
      'both deletion finalizers',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      ['FieldValueInvalid metadata.finalizers'],
    ],
    [
      'an owner without uid',
      { ownerReferences: [{ ...owner, uid: '' }] },
      ['FieldValueInvalid metadata.ownerReferences.uid'],
    ],
    [
      'an owner without anything',
      { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      ['apiVersion', 'kind', 'name', 'uid'].map((m) => `FieldValueInvalid metadata.ownerReferences.${m}`),
    ],
    [
      'an owner whose version has two slashes',
      { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
      ['FieldValueInvalid metadata.ownerReferences.apiVersion'],
    ],
    [
      'an Event as owner',
      { ownerReferences: [{ ...owner, kind: 'Event' }] },
      ['FieldValueInvalid metadata.ownerReferences'],
    ],
    [
      'two controllers',
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: 'w', controller: true },
        ],
      },
      ['FieldValueInvalid metadata.ownerReferences'],
    ],
    [
      'an owner that is not the controller next to one is fine',
      { ownerReferences: [{ ...owner, controller: true }, owner] },
      [],
    ],
    [
      'malformed managed fields',
      {
        managedFields: [
          { operation: 'Apply', fieldsType: 'FieldsV1', manager: 'ctl' },
          { operation: 'Patch', fieldsType: 'FieldsV2', manager: 'a\nb' },
          { operation: 'Update', manager: 'm'.repeat(129), subresource: 's'.repeat(257) },
          null,
        ],
      },
      [
        'FieldValueInvalid metadata.managedFields[1].operation',
        'FieldValueInvalid metadata.managedFields[1].fieldsType',
        'FieldValueInvalid metadata.managedFields[1].manager',
        'FieldValueTooLong metadata.managedFields[2].manager',
        'FieldValueTooLong metadata.managedFields[2].subresource',
        'FieldValueInvalid metadata.managedFields[3]',
      ],
    ],
  ] as [string, ObjectMeta, string[], Partial<ObjectMetaRules>?][]) {
    it(`${title}${expected.length > 0 ? ` is refused: ${expected.join(', ')}` : ''}`, () => {
      assert.deepEqual(causes({ ...good, ...meta }, more), expected);
    });
  }

  it('validateObjectMeta reports errors below the given path', () => {
    assert.deepEqual(causes({ ...good, name: '' }, { path: 'spec.template.metadata' }), [
      'FieldValueRequired spec.template.metadata.name',
    ]);
  });
});

describe('validateObjectMeta on update', () => {
  const old: ObjectMeta = {
    ...good,
    uid: 'u',
    generation: 2,
    creationTimestamp: '2020-01-01T00:00:00Z',
    finalizers: ['x.io/a'],
  };
  const dying: ObjectMeta = {
    ...old,
    deletionTimestamp: '2020-01-02T00:00:00Z',
    deletionGracePeriodSeconds: 30,
  };
  for (const [title, next, before, expected] of [
    ['no change is fine', {}, old, []],
    [
      'labels, finalizers and generation may change',
      { labels: { a: 'b' }, finalizers: ['x.io/b'], generation: 3 },
      old,
      [],
    ],
    ['labels are held to their form', { labels: { 'a b': 'x' } }, old, ['FieldValueInvalid metadata.labels']],
    ['the name of an old object need not have the form of today', { name: 'A_' }, { ...old, name: 'A_' }, []],
    ['the uid may not change', { uid: 'w' }, old, ['FieldValueInvalid metadata.uid']],
    ['the generation may not go back', { generation: 1 }, old, ['FieldValueInvalid metadata.generation']],
    [
      'the deletion may not be set',
      { deletionTimestamp: '2001-01-01T00:00:00Z' },
      old,
      ['FieldValueInvalid metadata.deletionTimestamp'],
    ],
    [
      'the grace period may not change',
      { deletionGracePeriodSeconds: 5 },
      dying,
      ['FieldValueInvalid metadata.deletionGracePeriodSeconds'],
    ],
    ['finalizers may go while the object is deleted', { finalizers: [] }, dying, []],
    [
      'finalizers may not come while the object is deleted',
      { finalizers: ['x.io/a', 'x.io/b'] },
      dying,
      ['FieldValueForbidden metadata.finalizers'],
    ],
    ['an absent and a null timestamp are the same', { deletionTimestamp: null }, old, []],
  ] as [string, ObjectMeta, ObjectMeta, string[]][]) {
    it(title, () => assert.deepEqual(causes({ ...before, ...next }, { old: before }), expected));
  }
});

describe('validateObjectMeta of thousands of items', () => {
  const COUNT = 5000;
  const ITEMS_OF_A_PIECE = 64;
  const keys = Array.from({ length: COUNT }, (_, i) => `x.io/k${i}`);
  const map = Object.fromEntries(keys.map((one) => [one, 'v']));

  for (const field of ['labels', 'annotations', 'finalizers'] as const) {
    const of = (wrong: readonly string[]): ObjectMeta => ({
      ...good,
      [field]:
        field === 'finalizers'
          ? [...keys, ...wrong]
          : { ...map, ...Object.fromEntries(wrong.map((one) => [one, ''])) },
    });

    it(`thousands of items of metadata are validated in pieces as at once: ${field}`, () => {
      const meta = of(['wrong key', 'other/wrong/key']);
      const work = validatingObjectMeta(meta, rules);
      let pieces = 1;
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.deepEqual(step.value, validateObjectMeta(meta, rules));
      assert.equal(step.value.length, field === 'finalizers' ? 3 : 2);
      assert.ok(pieces >= COUNT / ITEMS_OF_A_PIECE, `${pieces} pieces`);
    });

    it(`items of metadata beyond the problems that are reported are not checked: ${field}`, () => {
      const meta = of(keys.map((one) => `${one} wrong`));
      assert.equal(causes(meta).length, MAX_FIELD_ERRORS);
    });
  }
});

describe('field paths', () => {
  it('field paths name fields, items and entries', () => {
    assert.equal(index(child(child('', 'spec'), 'containers'), 0), 'spec.containers[0]');
    assert.equal(key(child('metadata', 'labels'), 'a.b/c'), 'metadata.labels[a.b/c]');
  });
});
