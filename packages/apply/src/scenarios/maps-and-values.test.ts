import { describe, it } from 'node:test';
import { apply, force, runScenario, type Scenario, timeOfStep, update } from '../testing/scenario.ts';

const maps: readonly Scenario[] = [
  {
    title: 'entries of a granular map have separate owners',
    steps: [apply('alice', { data: { a: '1' } }), apply('bob', { data: { b: '2' } })],
    object: { 'spec.data': { a: '1', b: '2' } },
    owners: { alice: ['.data.a'], bob: ['.data.b'] },
  },
  {
    title: 'an entry with another value conflicts',
    steps: [
      apply('alice', { data: { a: '1' } }),
      apply('bob', { data: { a: '2' } }, { expect: { conflicts: ['alice .spec.data.a'] } }),
    ],
  },
  {
    title: 'an atomic map has one owner and is replaced whole',
    steps: [apply('alice', { nodeSelector: { a: '1' } }), force('bob', { nodeSelector: { b: '2' } })],
    object: { 'spec.nodeSelector': { b: '2' } },
    owners: { bob: ['.nodeSelector'] },
  },
  {
    title: 'an atomic map conflicts as a whole',
    steps: [
      apply('alice', { nodeSelector: { a: '1' } }),
      apply(
        'bob',
        { nodeSelector: { a: '1', b: '2' } },
        { expect: { conflicts: ['alice .spec.nodeSelector'] } },
      ),
    ],
  },
  {
    title: 'the order of an atomic map does not matter',
    steps: [
      apply('alice', { nodeSelector: { a: '1', b: '2' } }),
      apply('bob', { nodeSelector: { b: '2', a: '1' } }),
    ],
    owners: { alice: ['.nodeSelector'], bob: ['.nodeSelector'] },
  },
  {
    title: 'an atomic struct has one owner and is replaced whole',
    steps: [
      apply('alice', { selector: { match: { a: '1', b: '2' } } }),
      force('bob', { selector: { match: { a: '1' } } }),
    ],
    object: { 'spec.selector': { match: { a: '1' } } },
    owners: { bob: ['.selector'] },
  },
  {
    title: 'a change inside an atomic struct by an update takes all of it',
    steps: [
      apply('alice', { selector: { match: { a: '1' } }, mode: 'Slow' }),
      update('bob', { selector: { match: { b: '2' } } }),
    ],
    owners: { alice: ['.mode'], 'bob:update': ['.selector'] },
  },
  {
    title: 'fields of a granular struct have separate owners',
    steps: [
      apply('alice', { strategy: { rolling: { surge: 2 } } }),
      apply('bob', { strategy: { rolling: { unavailable: '10%' } } }),
    ],
    object: { 'spec.strategy.rolling': { surge: 2, unavailable: '10%' } },
    owners: { alice: ['.strategy.rolling.surge'], bob: ['.strategy.rolling.unavailable'] },
  },
  {
    title: 'entries of a map of structs merge field by field',
    steps: [
      apply('alice', { groups: { g: { size: 1 } } }),
      apply('bob', { groups: { g: { color: 'red' } } }),
    ],
    object: { 'spec.groups': { g: { size: 1, color: 'red' } } },
    owners: { alice: ['.groups.g', '.groups.g.size'], bob: ['.groups.g', '.groups.g.color'] },
  },
  {
    title: 'an empty map is owned as such',
    steps: [apply('alice', { data: {}, replicas: 2 })],
    owners: { alice: ['.data', '.replicas'] },
    mayBeAbsent: true,
  },
  {
    title: 'untyped objects are owned as a whole',
    steps: [
      apply('alice', { raw: { a: { b: 1 }, list: [1, 2] } }),
      apply('bob', { raw: { a: { c: 2 } } }, { expect: { conflicts: ['alice .spec.raw'] } }),
      apply('carol', { raw: { list: [1, 2], a: { b: 1 } } }),
    ],
    object: { 'spec.raw': { a: { b: 1 }, list: [1, 2] } },
    owners: { alice: ['.raw'], carol: ['.raw'] },
  },
  {
    title: 'an untyped value changes its JSON type by force',
    steps: [apply('alice', { anything: { a: 1 } }), force('bob', { anything: 'text' })],
    object: { 'spec.anything': 'text' },
    owners: { bob: ['.anything'] },
  },
  {
    title: 'an untyped value becomes an object by an update',
    steps: [apply('alice', { anything: 5, mode: 'Slow' }), update('bob', { anything: { a: 1 } })],
    owners: { alice: ['.mode'], 'bob:update': ['.anything', '.anything.a'] },
  },
  {
    title: 'names such as __proto__ and constructor are names like any other',
    steps: [
      apply('alice', { data: JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}') }),
      apply('bob', { data: JSON.parse('{"__proto__":"1"}') }),
      apply('alice', { data: { constructor: '2' } as unknown as Record<string, unknown> }),
    ],
    object: { 'spec.data': JSON.parse('{"__proto__":"1","constructor":"2"}') },
    owners: { alice: ['.data.constructor'], bob: ['.data.__proto__'] },
  },
  {
    title: 'names with dots and slashes are one step of a path',
    steps: [apply('alice', { metadata: { annotations: { 'a.b/c': '1' } } })],
    owners: { alice: ['.metadata.annotations.a.b/c'] },
  },
];

const values: readonly Scenario[] = [
  {
    title: 'quantities in another spelling are the same value',
    steps: [
      apply('alice', { containers: [{ name: 'x', limits: { cpu: '1000m' } }] }),
      apply('bob', { containers: [{ name: 'x', limits: { cpu: '1' } }] }),
      apply('alice', { containers: [{ name: 'x', limits: { cpu: '1000m' } }] }, { expect: 'unchanged' }),
    ],
    object: { 'spec.containers.0.limits': { cpu: '1' } },
  },
  {
    title: 'a quantity may be written as a number',
    steps: [
      apply('alice', { size: 2 }),
      apply('bob', { size: '2' }),
      apply('alice', { size: 2 }, { expect: 'unchanged' }),
    ],
    object: { 'spec.size': '2' },
    owners: { alice: ['.size'], bob: ['.size'] },
  },
  {
    title: 'times in another offset are the same value',
    steps: [
      apply('alice', { since: '2024-05-01T12:00:00+02:00' }),
      apply('bob', { since: '2024-05-01T10:00:00Z' }),
      apply('alice', { since: '2024-05-01T12:00:00+02:00' }, { expect: 'unchanged' }),
    ],
    owners: { alice: ['.since'], bob: ['.since'] },
  },
  {
    title: 'durations in another spelling are the same value',
    steps: [apply('alice', { timeout: '60s' }), apply('alice', { timeout: '60s' }, { expect: 'unchanged' })],
    object: { 'spec.timeout': '1m0s' },
  },
  {
    title: 'base64 in lines is the same value',
    steps: [
      apply('alice', { key: 'QUJD\nRA==' }),
      apply('alice', { key: 'QUJD\nRA==' }, { expect: 'unchanged' }),
    ],
    object: { 'spec.key': 'QUJDRA==' },
  },
  {
    title: 'a false that is stored as absence is owned, and the same again',
    steps: [
      apply('alice', { paused: false, mode: 'Slow' }),
      apply('bob', { paused: false }),
      apply('alice', { paused: false, mode: 'Slow' }, { expect: 'unchanged' }),
    ],
    object: { 'spec.paused': undefined },
    owners: { alice: ['.paused', '.mode'], bob: ['.paused'] },
    mayBeAbsent: true,
  },
  {
    title: 'a true conflicts with a false of another manager that is stored as absence',
    steps: [
      apply('alice', { paused: false }),
      apply('bob', { paused: true }, { expect: { conflicts: ['alice .spec.paused'] } }),
    ],
    mayBeAbsent: true,
  },
  {
    title: 'a false sets back a true',
    steps: [apply('alice', { paused: true, mode: 'Slow' }), apply('alice', { paused: false, mode: 'Slow' })],
    object: { 'spec.paused': undefined },
    owners: { alice: ['.paused', '.mode'] },
    mayBeAbsent: true,
  },
  {
    title: 'a zero of a field that keeps it is a value like any other',
    steps: [
      apply('alice', { replicas: 0 }),
      apply('bob', { replicas: 1 }, { expect: { conflicts: ['alice .spec.replicas'] } }),
    ],
    object: { 'spec.replicas': 0 },
  },
  {
    title: 'null owns a field without setting its value',
    steps: [
      apply('alice', { title: null, mode: 'Slow' }),
      apply('bob', { title: 'x' }, { expect: { conflicts: ['alice .spec.title'] } }),
    ],
    owners: { alice: ['.title', '.mode'] },
    mayBeAbsent: true,
  },
  {
    title: 'null removes the value of an owned field',
    steps: [apply('alice', { title: 'x', mode: 'Slow' }), apply('alice', { title: null, mode: 'Slow' })],
    object: { 'spec.title': undefined },
    mayBeAbsent: true,
  },
  {
    title: "null against another manager's value is a removal, not a value",
    steps: [apply('alice', { title: 'x', mode: 'Slow' }), apply('bob', { title: null })],
    object: { 'spec.title': undefined },
    owners: { alice: ['.mode'], bob: ['.title'] },
    mayBeAbsent: true,
  },
  {
    title: 'null for a map leaves its entries',
    steps: [apply('alice', { data: { a: '1' } }), apply('bob', { data: null })],
    object: { 'spec.data': { a: '1' } },
    owners: { alice: ['.data.a'], bob: ['.data'] },
  },
  {
    title: 'numbers beyond doubles are compared exactly',
    steps: [
      apply('alice', { large: JSON.parse('1') }),
      update('bob', {
        large: (JSON as unknown as { rawJSON(t: string): unknown }).rawJSON('9007199254740993'),
      }),
      apply('alice', { large: 9007199254740992 }, { expect: { conflicts: ['bob .spec.large'] } }),
    ],
  },
  {
    title: 'a string is not the number that looks like it',
    steps: [
      apply('alice', { strategy: { rolling: { surge: 1 } } }),
      apply(
        'bob',
        { strategy: { rolling: { surge: '1' } } },
        { expect: { conflicts: ['alice .spec.strategy.rolling.surge'] } },
      ),
    ],
  },
  {
    title: 'time moves when only the value of an owned field changes',
    steps: [apply('alice', { replicas: 2 }), apply('alice', { replicas: 3 })],
    owners: { alice: ['.replicas'] },
    times: { alice: timeOfStep(2) },
  },
];

describe('ownership of maps and structs', () => {
  for (const scenario of maps) it(scenario.title, () => runScenario(scenario));
});

describe('ownership of values', () => {
  for (const scenario of values) it(scenario.title, () => runScenario(scenario));
});
