import { describe, it } from 'node:test';
import { reshapedKind, reshapedVersions } from '../testing/deck.ts';
import { apply, event, force, runScenario, type Scenario, type Step, update } from '../testing/scenario.ts';

/** Now atomic: containers, tags, data, groups, strategy. Now granular: args (a set), nodeSelector, selector. */
const reshape: Step = event('the kind changes its shape', (cluster) =>
  cluster.become({ versions: reshapedKind, codecs: reshapedVersions }),
);

const scenarios: readonly Scenario[] = [
  {
    title: 'a map that becomes atomic belongs as a whole to the owner of its entries, and conflicts',
    steps: [
      apply('alice', { data: { a: '1' } }),
      reshape,
      apply('bob', { data: { a: '2' } }, { expect: { conflicts: ['alice .spec.data'] } }),
    ],
  },
  {
    title: 'and is replaced as a whole by force',
    steps: [apply('alice', { data: { a: '1' }, mode: 'Slow' }), reshape, force('bob', { data: { b: '2' } })],
    object: { 'spec.data': { b: '2' } },
    owners: { alice: ['.mode'], bob: ['.data'] },
  },
  {
    title: 'owners of single entries all own the map that became atomic',
    steps: [
      apply('alice', { data: { a: '1' } }),
      apply('bob', { data: { b: '2' } }),
      reshape,
      apply('carol', { data: { c: '3' } }, { expect: { conflicts: ['alice .spec.data', 'bob .spec.data'] } }),
    ],
  },
  {
    title: 'a set that becomes atomic belongs to the owner of its values',
    steps: [
      apply('alice', { tags: ['a'] }),
      reshape,
      apply('bob', { tags: ['a', 'b'] }, { expect: { conflicts: ['alice .spec.tags'] } }),
    ],
  },
  {
    title: 'a map list that becomes atomic belongs to the owner of its items',
    steps: [
      apply('alice', { containers: [{ name: 'x', image: '1' }] }),
      reshape,
      apply('bob', { containers: [{ name: 'y' }] }, { expect: { conflicts: ['alice .spec.containers'] } }),
    ],
  },
  {
    title: 'a struct that becomes atomic belongs to the owner of its fields',
    steps: [
      apply('alice', { strategy: { rolling: { surge: 2 } } }),
      reshape,
      apply('bob', { strategy: { type: 'Other' } }, { expect: { conflicts: ['alice .spec.strategy'] } }),
    ],
  },
  {
    title: 'the owner of entries owns the whole field, and its field set is written for the new topology',
    steps: [apply('alice', { data: { a: '1' } }), reshape, apply('alice', { data: { a: '2' } })],
    object: { 'spec.data': { a: '2' } },
    owners: { alice: ['.data'] },
  },
  {
    title: 'the owner that drops what became atomic removes it',
    steps: [apply('alice', { data: { a: '1' }, mode: 'Slow' }), reshape, apply('alice', { mode: 'Slow' })],
    object: { 'spec.data': undefined },
    owners: { alice: ['.mode'] },
  },
  {
    title: 'what became atomic stays for the other owner of a part of it',
    steps: [
      apply('alice', { data: { a: '1' }, mode: 'Slow' }),
      apply('bob', { data: { b: '2' } }),
      reshape,
      apply('alice', { mode: 'Slow' }),
    ],
    object: { 'spec.data': { a: '1', b: '2' } },
    owners: { alice: ['.mode'], bob: ['.data'] },
  },
  {
    title: 'an update of what became atomic takes all of it',
    steps: [apply('alice', { data: { a: '1' }, mode: 'Slow' }), reshape, update('bob', { data: { b: '2' } })],
    owners: { alice: ['.mode'], 'bob:update': ['.data'] },
  },
  {
    title: 'a map that becomes granular has entries without owner, free to change',
    steps: [
      apply('alice', { nodeSelector: { a: '1' } }),
      reshape,
      apply('bob', { nodeSelector: { a: '2' } }),
    ],
    object: { 'spec.nodeSelector': { a: '2' } },
    owners: { alice: ['.nodeSelector'], bob: ['.nodeSelector.a'] },
  },
  {
    title: 'a list that becomes a set has values without owner, and others join',
    steps: [apply('alice', { args: ['a'] }), reshape, apply('bob', { args: ['b'] })],
    object: { 'spec.args': ['a', 'b'] },
    owners: { alice: ['.args'], bob: ['.args[="b"]'] },
  },
  {
    title: 'a struct that becomes granular has fields without owner',
    steps: [
      apply('alice', { selector: { match: { a: '1' } } }),
      reshape,
      apply('bob', { selector: { match: { a: '2' } } }),
    ],
    owners: { alice: ['.selector'], bob: ['.selector.match.a'] },
  },
  {
    title: 'the former owner of what became granular owns its parts with its next apply',
    steps: [
      apply('alice', { nodeSelector: { a: '1' } }),
      reshape,
      apply('alice', { nodeSelector: { a: '1' } }),
    ],
    owners: { alice: ['.nodeSelector.a'] },
  },
  {
    title: 'an update of a part of what became granular has no conflict',
    steps: [
      apply('alice', { nodeSelector: { a: '1' }, mode: 'Slow' }),
      reshape,
      update('bob', { nodeSelector: { a: '2' } }),
    ],
    owners: { alice: ['.mode', '.nodeSelector'], 'bob:update': ['.nodeSelector.a'] },
  },
  {
    title: 'nothing is written for a change of shape alone',
    steps: [
      apply('alice', { mode: 'Slow', replicas: 2 }),
      reshape,
      apply('alice', { mode: 'Slow', replicas: 2 }, { expect: 'unchanged' }),
    ],
  },
];

describe('a kind that changes how its fields merge', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
