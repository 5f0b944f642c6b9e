import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes } from '../registry.ts';

/** Columns in order; `*` marks those of the wide view, a type other than string follows a colon. */
const expected = [
  ['componentstatuses', 'Name, Status, Message, Error'],
  ['configmaps', 'Name, Data, Age'],
  ['endpoints', 'Name, Endpoints, Age'],
  ['events', 'Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name*'],
  ['namespaces', 'Name, Status, Age'],
  [
    'nodes',
    'Name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*, Container-Runtime*',
  ],
  [
    'persistentvolumeclaims',
    'Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode*',
  ],
  [
    'persistentvolumes',
    'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode*',
  ],
  ['pods', 'Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*'],
  ['podtemplates', 'Name, Containers, Images, Pod Labels'],
  [
    'replicationcontrollers',
    'Name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*',
  ],
  ['resourcequotas', 'Name, Request, Limit, Age'],
  ['secrets', 'Name, Type, Data, Age'],
  ['serviceaccounts', 'Name, Age'],
  ['services', 'Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*'],
  ['leases', 'Name, Holder, Age'],
] as const;

describe('table columns', () => {
  for (const [resource, columns] of expected) {
    it(`table columns of ${resource} are the observed ones`, () => {
      const type = builtinTypes.find((one) => one.resource === resource);
      const text = type?.table?.columns
        .map(
          ({ name, type: cell, priority }) =>
            `${name}${cell === 'string' ? '' : `:${cell}`}${priority === 1 ? '*' : ''}`,
        )
        .join(', ');
      assert.equal(text, columns);
      const named = type?.table?.columns.filter(({ format }) => format === 'name').map(({ name }) => name);
      assert.deepEqual(named, ['Name']);
    });
  }

  it('table columns have descriptions', () => {
    for (const { table } of builtinTypes)
      for (const { description } of table?.columns ?? []) assert.match(description, /\.$/);
  });

  it('limit ranges have the table columns of any kind', () => {
    assert.equal(builtinTypes.find((type) => type.resource === 'limitranges')?.table, undefined);
  });
});
