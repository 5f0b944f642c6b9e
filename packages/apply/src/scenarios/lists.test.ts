import { describe, it } from 'node:test';
import { apply, force, runScenario, type Scenario, update } from '../testing/scenario.ts';

const x = { name: 'x', image: '1' };
const y = { name: 'y', image: '2' };
const web = { name: 'web', port: 80 };
const dns = { port: 53, protocol: 'UDP' };

const scenarios: readonly Scenario[] = [
  {
    title: 'items of a map list merge by their key, each with its own owner',
    steps: [apply('alice', { containers: [x] }), apply('bob', { containers: [y] })],
    object: {
      'spec.containers': [
        { ...x, policy: 'Always' },
        { ...y, policy: 'Always' },
      ],
    },
    owners: {
      alice: ['.containers[name="x"]', '.containers[name="x"].name', '.containers[name="x"].image'],
      bob: ['.containers[name="y"]', '.containers[name="y"].name', '.containers[name="y"].image'],
    },
  },
  {
    title: 'fields of one item can have different owners, and its key is shared',
    steps: [apply('alice', { containers: [x] }), apply('bob', { containers: [{ name: 'x', args: ['a'] }] })],
    object: { 'spec.containers': [{ ...x, args: ['a'], policy: 'Always' }] },
    owners: {
      alice: ['.containers[name="x"]', '.containers[name="x"].name', '.containers[name="x"].image'],
      bob: ['.containers[name="x"]', '.containers[name="x"].name', '.containers[name="x"].args'],
    },
  },
  {
    title: 'a field of an item conflicts with its path',
    steps: [
      apply('alice', { containers: [x] }),
      apply(
        'bob',
        { containers: [{ name: 'x', image: '2' }] },
        {
          expect: { conflicts: ['alice .spec.containers[name="x"].image'] },
        },
      ),
    ],
  },
  {
    title: 'lists inside items merge by their own keys',
    steps: [
      apply('alice', { containers: [{ name: 'x', env: [{ name: 'A', value: '1' }] }] }),
      apply('bob', { containers: [{ name: 'x', env: [{ name: 'B', value: '2' }] }] }),
      apply('alice', { containers: [{ name: 'x' }] }),
    ],
    object: { 'spec.containers.0.env': [{ name: 'B', value: '2' }] },
  },
  {
    title: 'a list without a type that strategic patches merge is a map list by the merge key',
    steps: [
      apply('alice', { metadata: { ownerReferences: [{ kind: 'A', name: 'a', uid: '1' }] } }),
      apply('bob', { metadata: { ownerReferences: [{ kind: 'B', name: 'b', uid: '2' }] } }),
    ],
    owners: {
      alice: [
        '.metadata.ownerReferences[uid="1"]',
        '.metadata.ownerReferences[uid="1"].kind',
        '.metadata.ownerReferences[uid="1"].name',
        '.metadata.ownerReferences[uid="1"].uid',
      ],
      bob: '*',
    },
  },
  {
    title: 'one that has no merge key is a set',
    steps: [
      apply('alice', { metadata: { finalizers: ['f/a'] } }),
      apply('bob', { metadata: { finalizers: ['f/b'] } }),
    ],
    object: { 'metadata.finalizers': ['f/a', 'f/b'] },
    owners: { alice: ['.metadata.finalizers[="f/a"]'], bob: ['.metadata.finalizers[="f/b"]'] },
  },
  {
    title: 'finalizers are shared: an update takes its own away and leaves the others',
    steps: [
      apply('alice', { metadata: { finalizers: ['f/a', 'f/b'] } }),
      update('bob', { metadata: { finalizers: ['f/b'] } }),
    ],
    object: { 'metadata.finalizers': ['f/b'] },
    owners: { alice: ['.metadata.finalizers[="f/b"]'] },
  },
  {
    title: 'several keys identify an item together',
    steps: [
      apply('alice', { ports: [{ port: 53, protocol: 'TCP', name: 'a' }] }),
      apply('bob', { ports: [{ port: 53, protocol: 'UDP', name: 'b' }] }),
    ],
    object: {
      'spec.ports': [
        { name: 'a', port: 53, protocol: 'TCP' },
        { name: 'b', port: 53, protocol: 'UDP' },
      ],
    },
    owners: {
      alice: [
        '.ports[port=53,protocol="TCP"]',
        '.ports[port=53,protocol="TCP"].name',
        '.ports[port=53,protocol="TCP"].port',
        '.ports[port=53,protocol="TCP"].protocol',
      ],
      bob: '*',
    },
  },
  {
    title: 'a key that is left out counts with its default',
    steps: [
      apply('alice', { ports: [web] }),
      apply('bob', { ports: [{ port: 80, protocol: 'TCP', target: 1 }] }),
    ],
    object: { 'spec.ports': [{ name: 'web', port: 80, protocol: 'TCP', target: 1 }] },
    owners: {
      alice: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].name',
        '.ports[port=80,protocol="TCP"].port',
      ],
      bob: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].port',
        '.ports[port=80,protocol="TCP"].protocol',
        '.ports[port=80,protocol="TCP"].target',
      ],
    },
  },
  {
    title: 'an item stays whole for the manager that left its key out',
    steps: [
      apply('alice', { ports: [{ port: 80, protocol: 'TCP' }] }),
      apply('bob', { ports: [web] }),
      apply('alice', {}),
    ],
    object: { 'spec.ports': [{ name: 'web', port: 80, protocol: 'TCP' }] },
    owners: {
      bob: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].name',
        '.ports[port=80,protocol="TCP"].port',
      ],
    },
  },
  {
    title: 'a default key that is not the one of the other item keeps them apart',
    steps: [apply('alice', { ports: [{ port: 53 }] }), apply('bob', { ports: [dns] }), apply('alice', {})],
    object: { 'spec.ports': [dns] },
  },
  {
    title: 'a changed key is another item',
    steps: [apply('alice', { ports: [web] }), apply('alice', { ports: [{ name: 'web', port: 81 }] })],
    object: { 'spec.ports': [{ name: 'web', port: 81, protocol: 'TCP' }] },
  },
  {
    title: 'values of a set belong to those who applied them',
    steps: [apply('alice', { tags: ['a', 'b'] }), apply('bob', { tags: ['b', 'c'] })],
    object: { 'spec.tags': ['a', 'b', 'c'] },
    owners: { alice: ['.tags[="a"]', '.tags[="b"]'], bob: ['.tags[="b"]', '.tags[="c"]'] },
  },
  {
    title: 'sets of numbers work as sets of strings do',
    steps: [
      apply('alice', { numbers: [1, 2] }),
      apply('bob', { numbers: [2, 10] }),
      apply('alice', { numbers: [1] }),
    ],
    object: { 'spec.numbers': [1, 2, 10] },
    owners: { alice: ['.numbers[=1]'], bob: ['.numbers[=2]', '.numbers[=10]'] },
  },
  {
    title: 'sets never conflict: there is only here or not here',
    steps: [apply('alice', { tags: ['a'] }), force('bob', { tags: ['b'] })],
    owners: { alice: ['.tags[="a"]'], bob: ['.tags[="b"]'] },
  },
  {
    title: 'an atomic list has one owner and is replaced whole',
    steps: [apply('alice', { args: ['a', 'b'] }), force('bob', { args: ['c'] })],
    object: { 'spec.args': ['c'] },
    owners: { bob: ['.args'] },
  },
  {
    title: 'an atomic list conflicts as a whole, in any difference',
    steps: [
      apply('alice', { args: ['a', 'b'] }),
      apply('bob', { args: ['b', 'a'] }, { expect: { conflicts: ['alice .spec.args'] } }),
    ],
  },
  {
    title: 'equal atomic lists are shared',
    steps: [apply('alice', { args: ['a', 'b'] }), apply('bob', { args: ['a', 'b'] })],
    owners: { alice: ['.args'], bob: ['.args'] },
  },
  {
    title: 'an atomic list may hold the same value twice',
    steps: [apply('alice', { args: ['a', 'a'] })],
    object: { 'spec.args': ['a', 'a'] },
  },
  {
    title: 'an empty atomic list is owned, unlike an empty map list',
    steps: [apply('alice', { args: [], tags: [], replicas: 2 })],
    owners: { alice: ['.args', '.replicas'] },
    mayBeAbsent: true,
  },
  {
    title: 'items of the configuration stand in its order',
    steps: [
      apply('alice', { containers: [x, y] }),
      apply('alice', { containers: [{ ...y, image: '3' }, x] }),
    ],
    object: { 'spec.containers.0.name': 'y', 'spec.containers.1.name': 'x' },
  },
  {
    title: 'another order alone changes nothing',
    steps: [
      apply('alice', { containers: [x, y] }),
      apply('alice', { containers: [y, x] }, { expect: 'unchanged' }),
    ],
    object: { 'spec.containers.0.name': 'x' },
  },
  {
    title: 'new items go behind those that stood there',
    steps: [apply('alice', { containers: [x] }), apply('bob', { containers: [y] })],
    object: { 'spec.containers.0.name': 'x', 'spec.containers.1.name': 'y' },
  },
  {
    title: 'items of others keep their place between those of the configuration',
    steps: [
      apply('alice', { containers: [{ name: 'a' }, { name: 'b' }] }),
      apply('bob', { containers: [{ name: 'x' }] }),
      apply('alice', { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
    ],
    object: {
      'spec.containers.0.name': 'a',
      'spec.containers.1.name': 'b',
      'spec.containers.2.name': 'x',
      'spec.containers.3.name': 'c',
    },
  },
  {
    title: 'a stored list that repeats an item does not stop an update',
    steps: [update('bob', { tags: ['a', 'a'], containers: [x, x] }), update('carol', { mode: 'Slow' })],
    object: { 'spec.tags': ['a', 'a'] },
    owners: { 'bob:update': '*', 'carol:update': ['.mode'] },
  },
  {
    title: 'to name a repeated item is a conflict with its owner, since one of the two has to go',
    steps: [
      update('bob', { containers: [x, x] }),
      apply(
        'alice',
        { containers: [{ name: 'x' }] },
        { expect: { conflicts: ['bob .spec.containers[name="x"]'] } },
      ),
    ],
  },
  {
    title: 'by force one of it is left, with the fields of the first',
    steps: [
      update('bob', { containers: [x, x, y] }),
      force('alice', { containers: [{ name: 'x', args: ['a'] }] }),
    ],
    object: {
      'spec.containers': [
        { ...x, args: ['a'], policy: 'Always' },
        { ...y, policy: 'Always' },
      ],
    },
  },
  {
    title: 'a repeated item that loses its twin keeps its owner',
    steps: [update('bob', { containers: [x, x], mode: 'Slow' }), update('carol', { containers: [x] })],
    owners: { 'bob:update': '*', 'carol:update': ['.containers[name="x"]'] },
  },
  {
    title: 'a stored item without its key is known by its place',
    steps: [update('bob', { containers: [{ image: '1' }] }), apply('alice', { containers: [x] })],
    object: { 'spec.containers.0.image': '1', 'spec.containers.1.name': 'x' },
  },
  {
    title: 'values that need escapes identify items as they are',
    steps: [
      apply('alice', { tags: ['a"b', 'a\\b', '<&>', 'ä\u2028'] }),
      apply('alice', { tags: ['a"b', '<&>'] }),
    ],
    object: { 'spec.tags': ['a"b', '<&>'] },
  },
];

describe('ownership of list items', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
