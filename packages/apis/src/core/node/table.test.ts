import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { nodeTable } from './table.ts';

const ready = (status: string): object => ({ conditions: [{ type: 'Ready', status }] });
const node = (status: object, rest: Partial<ApiObject> = {}): ApiObject => ({
  metadata: { name: 'n' },
  status,
  ...rest,
});

describe('the row of a node', () => {
  for (const [title, object, text] of [
    ['that is ready', node(ready('True')), 'Ready'],
    ['that is not', node(ready('False')), 'NotReady'],
    ['that is silent', node(ready('Unknown')), 'NotReady'],
    ['without conditions', node({}), 'Unknown'],
    [
      'that takes no pods',
      node(ready('True'), { spec: { unschedulable: true } }),
      'Ready,SchedulingDisabled',
    ],
  ] as const) {
    it(title, () => assert.equal(nodeTable.cells(object, namesFor('orch'))[1], text));
  }

  for (const [naming, domain, version] of [
    ['orch', 'orch.io', 'nodeagentVersion'],
    ['kubernetes', 'kubernetes.io', 'kubeletVersion'],
  ] as const) {
    it(`the row of a node has a cell for every column, with the names of ${naming}`, () => {
      const labels = {
        [`node-role.${domain}/worker`]: '',
        [`node-role.${domain}/`]: '',
        [`${domain}/role`]: 'admin',
      };
      const status = {
        ...ready('True'),
        addresses: [
          { type: 'Hostname', address: 'h' },
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalIP', address: '10.0.0.2' },
        ],
        nodeInfo: { [version]: 'v1', osImage: 'os', kernelVersion: '', containerRuntimeVersion: 'rt://1' },
      };
      const object = node(status, { metadata: { name: 'n', labels, creationTimestamp: 'T' } });
      assert.deepEqual(nodeTable.cells(object, namesFor(naming)), [
        'n',
        'Ready',
        'admin,worker',
        { age: 'T' },
        'v1',
        '10.0.0.1',
        '<none>',
        'os',
        '<unknown>',
        'rt://1',
      ]);
    });
  }
});
