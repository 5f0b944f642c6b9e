import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, event, force, runScenario, type Scenario, update } from '../testing/scenario.ts';

const status = { subresource: 'status' } as const;
const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

const scenarios: readonly Scenario[] = [
  {
    title: 'fields of the status are owned under their subresource',
    steps: [apply('alice', { replicas: 3 }), apply('alice', { status: { phase: 'Up' } }, status)],
    object: { 'spec.replicas': 3, 'status.phase': 'Up' },
    owners: { alice: ['.replicas'], 'alice/status': ['.status.phase'] },
  },
  {
    title: 'a status in the configuration of a new object is not owned, and is left for the kind to reset',
    steps: [apply('alice', { spec: { replicas: 3 }, status: { phase: 'Up' } })],
    object: { 'status.phase': 'Up' },
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'a status in the configuration of the object is neither applied nor owned',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { spec: { replicas: 4 }, status: { phase: 'Up' } }),
    ],
    object: { 'spec.replicas': 4, 'status.phase': undefined },
    owners: { alice: ['.replicas'] },
  },
  {
    title: 'a spec in the configuration of the status is neither applied nor owned',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { spec: { replicas: 9 }, status: { phase: 'Up' } }, status),
    ],
    object: { 'spec.replicas': 3 },
    owners: { alice: ['.replicas'], 'bob/status': ['.status.phase'] },
  },
  {
    title: 'labels in the configuration of the status are left out where the kind resets them',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('bob', { metadata: { labels: { x: '1' } }, status: { phase: 'Up' } }, status),
    ],
    object: { 'metadata.labels': undefined },
    owners: { alice: ['.replicas'], 'bob/status': ['.status.phase'] },
  },
  {
    title: 'dropping a field of the status leaves the fields of the object',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { status: { phase: 'Up', observed: 1 } }, status),
      apply('alice', { status: { phase: 'Up' } }, status),
    ],
    object: { 'spec.replicas': 3, 'status.observed': undefined, 'status.phase': 'Up' },
    owners: { alice: ['.replicas'], 'alice/status': ['.status.phase'] },
  },
  {
    title: 'dropping a field of the object leaves the fields of the status',
    steps: [
      apply('alice', { replicas: 3, mode: 'Slow' }),
      apply('alice', { status: { phase: 'Up' } }, status),
      apply('alice', { mode: 'Slow' }),
    ],
    object: { 'spec.replicas': 1, 'status.phase': 'Up' },
  },
  {
    title: 'an update of the object owns nothing of the status, whatever it sends',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { status: { phase: 'Up' } }, status),
      update('bob', { spec: { mode: 'Slow' }, status: { phase: 'Down' } }),
    ],
    object: { 'status.phase': 'Up' },
    owners: { alice: ['.replicas'], 'alice/status': ['.status.phase'], 'bob:update': ['.mode'] },
  },
  {
    title: 'an update of the status owns the status',
    steps: [apply('alice', { replicas: 3 }), update('bob', { status: { phase: 'Up' } }, status)],
    owners: { alice: ['.replicas'], 'bob:update/status': ['.status.phase'] },
  },
  {
    title: 'an update of the status changes no owner of the object by its list',
    steps: [
      apply('alice', { replicas: 3 }),
      update('bob', { metadata: { managedFields: [{}] }, status: { phase: 'Up' } }, status),
    ],
    owners: { alice: ['.replicas'], 'bob:update/status': ['.status.phase'] },
  },
  {
    title: 'a conflict names the subresource',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { status: { phase: 'Up' } }, status),
      event('bob applies another phase', (cluster) => {
        const result = cluster.apply('bob', { status: { phase: 'Down' } }, status);
        assert.equal(result.kind, 'conflict');
        assert.deepEqual(
          result.conflicts.map(({ owner, field }) => [owner.subresource, field]),
          [['status', '.status.phase']],
        );
      }),
    ],
  },
  {
    title: 'conditions of the status merge by their type',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('one', ready, status),
      apply('two', { status: { conditions: [{ type: 'Done', status: 'False' }] } }, status),
    ],
    object: {
      'status.conditions': [
        { type: 'Ready', status: 'True' },
        { type: 'Done', status: 'False' },
      ],
    },
    owners: { alice: '*', 'one/status': '*', 'two/status': '*' },
  },
  {
    title: 'a controller forces its conditions',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('one', ready, status),
      force('two', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, status),
    ],
    object: { 'status.conditions': [{ type: 'Ready', status: 'False' }] },
    owners: {
      alice: ['.replicas'],
      'one/status': ['.status.conditions[type="Ready"]', '.status.conditions[type="Ready"].type'],
      'two/status': [
        '.status.conditions[type="Ready"]',
        '.status.conditions[type="Ready"].status',
        '.status.conditions[type="Ready"].type',
      ],
    },
  },
  {
    title: 'the same manager applies the object and its status in two entries',
    steps: [
      apply('alice', { replicas: 3 }),
      apply('alice', { status: { phase: 'Up' } }, status),
      apply('alice', {}, status),
    ],
    object: { 'spec.replicas': 3, 'status.phase': undefined },
    owners: { alice: ['.replicas'] },
  },
];

describe('ownership by subresource', () => {
  for (const scenario of scenarios) it(scenario.title, () => runScenario(scenario));
});
