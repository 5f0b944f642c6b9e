import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MutableJsonObject } from '@orch/machinery/json';
import {
  apply,
  event,
  ownersOf,
  runScenario,
  type Scenario,
  timeOfStep,
  update,
} from '../testing/scenario.ts';

const managed = (...entries: readonly unknown[]): MutableJsonObject => ({
  metadata: { managedFields: entries },
});

const entry = (
  manager: string,
  fields: MutableJsonObject,
  rest: MutableJsonObject = {},
): MutableJsonObject => ({
  manager,
  operation: 'Update',
  apiVersion: 'test/v1',
  time: timeOfStep(0),
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': fields },
  ...rest,
});

const scenarios: readonly Scenario[] = [
  {
    title: 'a list with one empty entry takes all ownership away',
    steps: [apply('alice', { replicas: 3 }), update('bob', managed({}))],
    object: { 'spec.replicas': 3, 'metadata.managedFields': undefined },
    owners: {},
  },
  {
    title: 'an empty list changes nothing',
    steps: [apply('alice', { replicas: 3 }), update('bob', managed(), { expect: 'unchanged' })],
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'a list that is left out changes nothing',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', { metadata: { managedFields: null } }, { expect: 'unchanged' }),
    ],
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'a reset comes first: the requester owns what it changes with it',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      update('bob', { ...managed({}), spec: { replicas: 4 } }),
    ],
    owners: { 'bob:update': ['.replicas'] },
  },
  {
    title: 'a reset also takes the fields of the requester that it does not change',
    steps: [
      update('bob', { replicas: 3, title: 't' }),
      update('bob', { ...managed({}), spec: { replicas: 4 } }),
    ],
    owners: { 'bob:update': ['.replicas'] },
  },
  {
    title: 'two empty entries are not a reset',
    steps: [apply('alice', { replicas: 3 }), update('bob', managed({}, {}), { expect: 'unchanged' })],
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'after a reset everything counts as owned before the first apply',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', managed({})),
      apply('alice', { replicas: 4 }, { expect: { conflicts: ['before-first-apply .spec.replicas'] } }),
      apply('alice', { replicas: 3 }),
    ],
    owners: {
      alice: ['.replicas'],
      'before-first-apply:update': ['.replicas', '.mode', '.strategy.type'],
    },
  },
  {
    title: 'an object from before fields were tracked is owned before the first apply',
    steps: [
      event('an object from before', (cluster) =>
        cluster.plant({ apiVersion: 'test/v1', kind: 'Deck', metadata: { name: 'd' }, spec: { title: 't' } }),
      ),
      apply('alice', { title: 't', replicas: 1 }),
    ],
    owners: {
      alice: ['.title', '.replicas'],
      'before-first-apply:update': ['.title', '.replicas', '.mode', '.strategy.type'],
    },
    times: { 'before-first-apply:update': timeOfStep(1) },
  },
  {
    title: 'an update of an object from before fields were tracked owns what it changes',
    steps: [
      event('an object from before', (cluster) =>
        cluster.plant({ apiVersion: 'test/v1', kind: 'Deck', metadata: { name: 'd' }, spec: { title: 't' } }),
      ),
      update('bob', { replicas: 4 }),
    ],
    owners: { 'bob:update': ['.replicas'] },
  },
  {
    title: 'an update may rewrite who owns what: a field moves from one manager to another',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', managed(entry('carol', { 'f:replicas': {} }, { operation: 'Apply' }))),
    ],
    owners: { carol: ['.replicas'] },
  },
  {
    title: 'an update that also changes a field owns that, whatever its list says',
    steps: [
      apply('alice', { replicas: 3, title: 't' }),
      update('bob', {
        ...managed(entry('carol', { 'f:replicas': {}, 'f:title': {} }, { operation: 'Apply' })),
        spec: { replicas: 4 },
      }),
    ],
    owners: { carol: ['.title'], 'bob:update': ['.replicas'] },
  },
  {
    title: 'a create cannot give the fields of its object to others',
    steps: [update('bob', { ...managed(entry('carol', { 'f:replicas': {} })), spec: { replicas: 2 } })],
    owners: { 'bob:update': ['.replicas', '.mode', '.strategy.type'] },
  },
  {
    title:
      'a sent list with its steps in another order and its keys in another spelling is stored in canonical form',
    steps: [
      apply('alice', { ports: [{ port: 53, protocol: 'UDP' }], mode: 'Slow' }),
      update(
        'bob',
        managed(
          entry('carol', {
            'f:ports': { 'k:{"protocol": "UDP", "port": 53}': { 'f:protocol': {}, '.': {}, 'f:port': {} } },
            'f:mode': {},
          }),
        ),
      ),
    ],
    owners: {
      'carol:update': [
        '.mode',
        '.ports[port=53,protocol="UDP"]',
        '.ports[port=53,protocol="UDP"].port',
        '.ports[port=53,protocol="UDP"].protocol',
      ],
    },
  },
  {
    title: 'claims of fields that do not exist are dropped from a sent list',
    steps: [
      apply('alice', { replicas: 3 }),
      update(
        'bob',
        managed(entry('carol', { 'f:replicas': {}, 'f:nothing': {}, 'f:tags': { 'v:"x"': {} } })),
      ),
    ],
    owners: { 'carol:update': ['.replicas'] },
  },
  {
    title: 'claims of what the server writes are dropped from a sent list',
    steps: [
      apply('alice', { replicas: 3 }),
      update(
        'bob',
        managed(
          entry(
            'carol',
            { 'f:replicas': {} },
            {
              fieldsV1: {
                'f:apiVersion': {},
                'f:kind': {},
                'f:metadata': { 'f:name': {}, 'f:uid': {}, 'f:managedFields': { '.': {}, 'f:x': {} } },
                'f:spec': { 'f:replicas': {} },
              },
            },
          ),
        ),
      ),
    ],
    owners: { 'carol:update': ['.replicas'] },
  },
  {
    title: 'an entry that claims nothing is dropped',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', managed(entry('carol', {}, { fieldsV1: {} }), entry('dave', { 'f:replicas': {} }))),
    ],
    owners: { 'dave:update': ['.replicas'] },
  },
  {
    title: 'steps of kinds that are not known are left out of a sent list',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', managed(entry('carol', { 'f:replicas': {}, 'z:new': {} }))),
    ],
    owners: { 'carol:update': ['.replicas'] },
  },
];

describe('resets and rewrites of ownership', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});

describe('rejected lists of managed fields', () => {
  const cases: readonly (readonly [title: string, entry: MutableJsonObject, field: string])[] = [
    ['an unknown operation', entry('x', {}, { operation: 'Steal' }), 'metadata.managedFields[0].operation'],
    ['no version', entry('x', {}, { apiVersion: '' }), 'metadata.managedFields[0].apiVersion'],
    ['no type of fields', entry('x', {}, { fieldsType: '' }), 'metadata.managedFields[0].fieldsType'],
    [
      'an unknown type of fields',
      entry('x', {}, { fieldsType: 'V2' }),
      'metadata.managedFields[0].fieldsType',
    ],
    ['a manager that cannot be printed', entry('a\u0000b', {}), 'metadata.managedFields[0].manager'],
    ['a manager that is too long', entry('x'.repeat(129), {}), 'metadata.managedFields[0].manager'],
    [
      'a subresource that is too long',
      entry('x', {}, { subresource: 's'.repeat(257) }),
      'metadata.managedFields[0].subresource',
    ],
    ['a key that is not JSON', entry('x', { 'k:{"a"': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a key that is not an object', entry('x', { 'k:[1]': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a key without keys', entry('x', { 'k:{}': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a key of an object', entry('x', { 'k:{"a":{}}': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a value that is not JSON', entry('x', { 'v:x': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a value that is a list', entry('x', { 'v:[1]': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a position that is not a number', entry('x', { 'i:x': {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a step without kind', entry('x', { replicas: {} }), 'metadata.managedFields[0].fieldsV1'],
    ['a step that is not an object', entry('x', { 'f:replicas': 1 }), 'metadata.managedFields[0].fieldsV1'],
  ];
  for (const [title, bad, field] of cases) {
    it(`a list of managed fields with ${title} is not used`, () => {
      runScenario({
        title,
        steps: [
          apply('alice', { replicas: 3 }),
          event('a malformed list is sent', (cluster) => {
            const { ignored, ownersChanged } = cluster.patch('bob', managed(bad));
            assert.deepEqual(
              ignored.map((problem) => problem.field),
              [field],
            );
            assert.equal(ownersChanged, false);
          }),
        ],
        owners: { alice: ['.replicas'] },
      });
    });
  }

  it('a list with two entries of one manager is not used', () => {
    runScenario({
      title: '',
      steps: [
        apply('alice', { replicas: 3 }),
        event('two entries of one manager', (cluster) => {
          const { ignored } = cluster.patch('bob', managed(entry('x', {}), entry('x', { 'f:replicas': {} })));
          assert.deepEqual(
            ignored.map(({ type, field }) => [type, field]),
            [['FieldValueDuplicate', 'metadata.managedFields[1]']],
          );
          assert.deepEqual(ownersOf(cluster.live), { alice: ['.replicas'] });
        }),
      ],
    });
  });
});
