import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText } from '@orch/machinery/json';
import { batchGroup } from '../batch/group.ts';
import type { Cell, ResourceType } from '../resource-type.ts';
import { appsGroup } from './group.ts';

const types = [...appsGroup.types, ...batchGroup.types];
const typeOf = (resource: string): ResourceType => {
  const type = types.find((one) => one.resource === resource);
  assert.ok(type);
  return type;
};

/** Columns in order; `*` marks those of the wide view, `:type` those that are not strings. */
const columns: readonly (readonly [resource: string, columns: string])[] = [
  ['controllerrevisions', 'Name, Controller, Revision, Age'],
  [
    'daemonsets',
    'Name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, Available:integer, Node Selector, Age, Containers*, Images*, Selector*',
  ],
  ['deployments', 'Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*'],
  [
    'replicasets',
    'Name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*',
  ],
  ['statefulsets', 'Name, Ready, Age, Containers*, Images*'],
  ['jobs', 'Name, Status, Completions, Duration, Age, Containers*, Images*, Selector*'],
  [
    'cronjobs',
    'Name, Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, Containers*, Images*, Selector*',
  ],
];

const created = '2024-01-01T00:00:00Z';
const age = { age: created };
const template = { spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { n: 'o' } } };
const selector = { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'k', operator: 'Exists' }] };
const owner = (apiVersion: string, kind: string, controller = true): object => ({
  apiVersion,
  kind,
  name: 'o',
  uid: 'u',
  controller,
});
const start = { startTime: '2024-01-01T00:00:00Z' };

const rows: readonly (readonly [
  title: string,
  resource: string,
  object: { readonly metadata?: object; readonly [field: string]: unknown },
  cells: readonly Cell[],
])[] = [
  [
    'deployment',
    'deployments',
    {
      spec: { replicas: 3, selector, template },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    ['x', '1/3', 2, 1, age, 'c', 'i', 'a=b,k'],
  ],
  [
    'new deployment',
    'deployments',
    { spec: { replicas: 0 }, status: {} },
    ['x', '0/0', 0, 0, age, '', '', '<none>'],
  ],
  [
    'replica set',
    'replicasets',
    { spec: { replicas: 3, selector, template }, status: { replicas: 2, readyReplicas: 1 } },
    ['x', 3, 2, 1, age, 'c', 'i', 'a=b,k'],
  ],
  [
    'stateful set',
    'statefulsets',
    { spec: { replicas: 3, template }, status: { readyReplicas: 2 } },
    ['x', '2/3', age, 'c', 'i'],
  ],
  [
    'daemon set',
    'daemonsets',
    {
      spec: { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] }, template },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    ['x', 5, 4, 3, 2, 1, 'n=o', age, 'c', 'i', '<error>'],
  ],
  [
    'revision of a stateful set',
    'controllerrevisions',
    {
      metadata: { ownerReferences: [owner('v1', 'Pod', false), owner('apps/v1', 'StatefulSet')] },
      revision: 3,
    },
    ['x', 'statefulset.apps/o', 3, age],
  ],
  [
    'revision of a core object, beyond 2^53',
    'controllerrevisions',
    { metadata: { ownerReferences: [owner('v1', 'Pod')] }, revision: numberFromText('9007199254740993') },
    ['x', 'pod/o', '9007199254740993', age],
  ],
  ['revision without an owner', 'controllerrevisions', {}, ['x', '<none>', 0, age]],
  [
    'job that runs',
    'jobs',
    { spec: { completions: 5, selector, template }, status: { succeeded: 2, ...start } },
    ['x', 'Running', '2/5', { age: start.startTime }, age, 'c', 'i', 'a=b,k'],
  ],
  [
    'job that has ended',
    'jobs',
    {
      spec: { parallelism: 1, template },
      status: {
        succeeded: 1,
        ...start,
        completionTime: '2024-01-01T00:03:05Z',
        conditions: [
          { type: 'SuccessCriteriaMet', status: 'True' },
          { type: 'Complete', status: 'True' },
        ],
      },
    },
    ['x', 'Complete', '1/1', '3m5s', age, 'c', 'i', '<none>'],
  ],
  [
    'job that waits',
    'jobs',
    {
      spec: { parallelism: 3, template },
      status: {
        conditions: [
          { type: 'Failed', status: 'False' },
          { type: 'Suspended', status: 'True' },
        ],
      },
    },
    ['x', 'Suspended', '0/1 of 3', '', age, 'c', 'i', '<none>'],
  ],
  [
    'job that is deleted',
    'jobs',
    {
      metadata: { deletionTimestamp: created },
      spec: { template },
      status: { conditions: [{ type: 'FailureTarget', status: 'True' }] },
    },
    ['x', 'Terminating', '0/1', '', age, 'c', 'i', '<none>'],
  ],
  [
    'cron job',
    'cronjobs',
    {
      spec: {
        schedule: '* * * * *',
        timeZone: 'Etc/UTC',
        suspend: false,
        jobTemplate: { spec: { template } },
      },
      status: { active: [{}, {}], lastScheduleTime: created },
    },
    ['x', '* * * * *', 'Etc/UTC', 'False', 2, age, age, 'c', 'i', '<none>'],
  ],
  [
    'cron job that rests',
    'cronjobs',
    { spec: { schedule: '@daily', suspend: true }, status: {} },
    ['x', '@daily', '<none>', 'True', 0, '<none>', age, '', '', '<none>'],
  ],
];

describe('tables of workloads', () => {
  for (const [resource, expected] of columns) {
    it(`tables of workloads have the columns of ${resource}`, () => {
      const text = typeOf(resource)
        .table?.columns.map(
          ({ name, type, priority }) =>
            `${name}${type === 'string' ? '' : `:${type}`}${priority === 1 ? '*' : ''}`,
        )
        .join(', ');
      assert.equal(text, expected);
    });
  }

  for (const [title, resource, { metadata, ...object }, cells] of rows) {
    it(`tables of workloads show a ${title}`, () => {
      const { table } = typeOf(resource);
      assert.ok(table);
      const whole = { metadata: { name: 'x', creationTimestamp: created, ...metadata }, ...object };
      assert.deepEqual(table.cells(whole, namesFor('orch')), cells);
      assert.equal(cells.length, table.columns.length);
    });
  }
});
