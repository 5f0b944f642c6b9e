import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepFreeze, jsonEquals, type MutableJsonObject } from '@orch/machinery/json';
import { applyConfig, conflictCauses, conflictMessage, managedFieldsOf, updateOwnership } from '../index.ts';
import { Cluster } from '../testing/cluster.ts';
import { deckKind, schemalessKind } from '../testing/deck.ts';
import { ownersOf } from '../testing/scenario.ts';

const base = { apiVersion: 'test/v1', manager: 'mallory', now: '2024-01-01T00:00:00Z' } as const;
const deck = (spec: MutableJsonObject, metadata: MutableJsonObject = {}): MutableJsonObject => ({
  apiVersion: 'test/v1',
  kind: 'Deck',
  metadata: { name: 'd', ...metadata },
  spec,
});

const forged = (manager: string, fieldsV1: unknown, rest: MutableJsonObject = {}): MutableJsonObject => ({
  manager,
  operation: 'Apply',
  apiVersion: 'test/v1',
  time: '2024-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...rest,
});

/** The owners of an object that alice applied, after an update that changes only the list of owners. */
function afterForgery(entries: readonly unknown[]): Record<string, string[]> {
  const cluster = new Cluster();
  cluster.apply('alice', { spec: { replicas: 3, title: 't' } });
  cluster.patch('mallory', { metadata: { managedFields: entries } });
  return ownersOf(cluster.live);
}

describe('forged managed fields', () => {
  it('a forged entry cannot take a field from the manager that sets it in the same request', () => {
    const cluster = new Cluster();
    cluster.apply('alice', { spec: { replicas: 3, title: 't' } });
    cluster.patch('mallory', {
      metadata: { managedFields: [forged('victim', { 'f:spec': { 'f:replicas': {}, 'f:title': {} } })] },
      spec: { replicas: 99 },
    });
    assert.deepEqual(ownersOf(cluster.live), { victim: ['.title'], 'mallory:update': ['.replicas'] });
  });

  it('a forged entry cannot own absent fields, so that other managers can add them', () => {
    const all = {
      'f:spec': { 'f:mode': {}, 'f:data': { 'f:later': {} }, 'f:containers': { 'k:{"name":"z"}': {} } },
    };
    assert.deepEqual(afterForgery([forged('mallory', all)]), { mallory: ['.mode'] });
  });

  it('an entry that claims the whole object is reduced to existing fields', () => {
    assert.deepEqual(afterForgery([forged('mallory', { '.': {}, 'f:spec': { '.': {}, 'f:title': {} } })]), {
      mallory: ['.spec', '.title'],
    });
  });

  it('a forged entry cannot own fields that only the server writes', () => {
    const meta = {
      'f:metadata': { 'f:uid': {}, 'f:resourceVersion': {}, 'f:managedFields': {} },
      'f:kind': {},
    };
    assert.deepEqual(afterForgery([forged('mallory', { ...meta, 'f:spec': { 'f:title': {} } })]), {
      mallory: ['.title'],
    });
  });

  it('forged entries in a version that is not served are dropped', () => {
    const entry = forged('mallory', { 'f:spec': { 'f:title': {} } }, { apiVersion: 'test/v9' });
    assert.deepEqual(afterForgery([entry, forged('bob', { 'f:spec': { 'f:title': {} } })]), {
      bob: ['.title'],
    });
  });

  const limits: readonly (readonly [title: string, entries: readonly unknown[]])[] = [
    ['more entries than anybody needs', Array.from({ length: 1_001 }, (_, i) => forged(`m${i}`, {}))],
    [
      'more fields than anybody needs',
      [forged('mallory', Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`f:${i}`, {}])))],
    ],
    [
      'too many fields in many entries',
      Array.from({ length: 20 }, (_, e) =>
        forged(`m${e}`, Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`f:${i}`, {}]))),
      ),
    ],
    [
      'a key that nests a hundred thousand levels',
      [forged('mallory', { [`k:{"a":${'['.repeat(100_000)}`]: {} })],
    ],
    ['fields of no kind', [forged('mallory', JSON.parse('{"__proto__":{"f:a":{}}}'))]],
  ];
  for (const [title, entries] of limits) {
    it(`forged managed fields are not used: ${title}`, () => {
      assert.deepEqual(afterForgery(entries), { alice: ['.replicas', '.title'] });
    });
  }

  it('managed fields that nest too deep are not used', () => {
    let deep: MutableJsonObject = {};
    for (let i = 0; i < 50_000; i++) deep = { 'f:a': deep };
    const live = deck({ title: 't' });
    const next = deck({ title: 't' }, { managedFields: [forged('mallory', deep)] });
    const { ignored } = updateOwnership({ ...base, versions: deckKind, live, next });
    assert.match(ignored[0]?.message ?? '', /nests deeper/);
  });

  it('unreadable managed fields of a stored object are dropped, and the object can still be applied', () => {
    const stored = [
      forged('broken', { replicas: {} }),
      forged('odd', 'text'),
      5,
      null,
      forged('none', {}, { operation: 'Frob' }),
      forged('alice', { 'f:spec': { 'f:title': {} } }),
    ];
    const live = deck({ title: 't', replicas: 1 }, { managedFields: stored });
    const result = applyConfig({
      ...base,
      versions: deckKind,
      manager: 'bob',
      live,
      config: deck({ replicas: 2 }),
      force: false,
    });
    assert.equal(result.kind, 'applied');
    const managers = result.managedFields.map((entry) => entry['manager']);
    // An entry that cannot be read claims nothing; an entry that the write does not touch is kept as it is.
    assert.deepEqual(managers, ['alice', 'bob', 'broken']);
    const dropped = applyConfig({
      ...base,
      versions: deckKind,
      manager: 'broken',
      live: result.object,
      config: deck({ title: 't' }),
      force: false,
    });
    assert.ok(dropped.kind === 'applied');
    assert.deepEqual(ownersOf(dropped.object), { alice: ['.title'], broken: ['.title'], bob: ['.replicas'] });
  });
});

describe('adversarial configurations', () => {
  it('fields named like the prototype are applied as ordinary fields', () => {
    const config = JSON.parse(
      '{"apiVersion":"test/v1","kind":"Deck","metadata":{"name":"d","labels":{"__proto__":"x","hasOwnProperty":"y"}},"spec":{"raw":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}',
    );
    const first = applyConfig({ ...base, versions: deckKind, live: undefined, config, force: false });
    assert.equal(first.kind, 'applied');
    const again = applyConfig({
      ...base,
      versions: deckKind,
      live: deepFreeze(first.object),
      config,
      force: false,
    });
    assert.ok(again.kind === 'applied' && !again.changed);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal(Object.getPrototypeOf(first.object), Object.prototype);
    assert.deepEqual(ownersOf(first.object), {
      mallory: ['.metadata.labels.__proto__', '.metadata.labels.hasOwnProperty', '.raw'],
    });
  });

  it('undeclared fields named like the prototype are rejected', () => {
    const config = JSON.parse(
      '{"apiVersion":"test/v1","metadata":{"name":"d"},"spec":{"__proto__":{"replicas":9}}}',
    );
    const result = applyConfig({ ...base, versions: deckKind, live: undefined, config, force: false });
    assert.ok(result.kind === 'refused');
    assert.deepEqual(result.unknown, ['spec.__proto__']);
  });

  it('configurations with the maximum JSON nesting are applied and dropped', () => {
    let deep: MutableJsonObject = { end: 1 };
    for (let i = 0; i < 480; i++) deep = { a: deep };
    const apply = (spec: MutableJsonObject, live: MutableJsonObject | undefined) => {
      const result = applyConfig({
        ...base,
        versions: schemalessKind,
        live,
        config: deck(spec),
        force: false,
      });
      assert.equal(result.kind, 'applied');
      return result.object;
    };
    const live = apply({ deep, other: 1 }, undefined);
    assert.deepEqual(apply({ other: 1 }, live)['spec'], { other: 1 });
  });

  it('a configuration with managed fields of any JSON type is rejected', () => {
    for (const managedFields of [[], [{}], {}, 'x', 0, false]) {
      const config = deck({ replicas: 1 }, { managedFields });
      const result = applyConfig({ ...base, versions: deckKind, live: undefined, config, force: false });
      assert.ok(result.kind === 'refused' && result.reason === 'managedFields');
    }
  });

  it('a configuration cannot change fields that only the server writes', () => {
    const live = deepFreeze(
      deck({ replicas: 1 }, { uid: 'real', resourceVersion: '5', creationTimestamp: '2020-01-01T00:00:00Z' }),
    );
    const config = deck(
      { replicas: 1 },
      { uid: 'forged', resourceVersion: '9', creationTimestamp: null, generation: 4 },
    );
    const result = applyConfig({ ...base, versions: deckKind, live, config, force: true });
    assert.ok(result.kind === 'applied');
    const { managedFields: _owners, ...metadata } = result.object['metadata'] as MutableJsonObject;
    assert.deepEqual(metadata, live['metadata']);
  });
});

describe('large inputs', () => {
  const items = (count: number, image: string): MutableJsonObject =>
    deck({ containers: Array.from({ length: count }, (_, i) => ({ name: `c${i}`, image })) });

  it('a hundred thousand conflicts are answered with a bounded Status', () => {
    const data = (value: string): MutableJsonObject =>
      deck({ data: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, value])) });
    const first = applyConfig({
      ...base,
      versions: deckKind,
      manager: 'a',
      live: undefined,
      config: data('1'),
      force: false,
    });
    assert.ok(first.kind === 'applied');
    const second = applyConfig({
      ...base,
      versions: deckKind,
      live: first.object,
      config: data('2'),
      force: false,
    });
    assert.ok(second.kind === 'conflict');
    assert.equal(second.conflicts.length, 20_000);
    assert.equal(conflictCauses(second.conflicts).length, 1_000);
    assert.match(
      conflictMessage(second.conflicts),
      /^Apply failed with 20000 conflicts: .*\n(?:.*\n)*and 19000 more$/,
    );
  });

  it('a list of thousands of items is merged and removed again', () => {
    const live = applyConfig({
      ...base,
      versions: deckKind,
      live: undefined,
      config: items(5_000, 'a'),
      force: false,
    });
    assert.ok(live.kind === 'applied');
    const more = applyConfig({
      ...base,
      versions: deckKind,
      manager: 'b',
      live: live.object,
      config: items(6_000, 'a'),
      force: false,
    });
    assert.ok(more.kind === 'applied');
    const less = applyConfig({
      ...base,
      versions: deckKind,
      manager: 'b',
      live: more.object,
      config: { apiVersion: 'test/v1', metadata: { name: 'd' } },
      force: false,
    });
    assert.ok(less.kind === 'applied');
    assert.ok(
      jsonEquals(
        (less.object['spec'] as MutableJsonObject)['containers'],
        (live.object['spec'] as MutableJsonObject)['containers'],
      ),
    );
    assert.deepEqual(
      less.managedFields.map((entry) => entry['manager']),
      ['mallory'],
    );
    assert.ok(jsonEquals(managedFieldsOf(less.object), managedFieldsOf(live.object)));
  });
});
