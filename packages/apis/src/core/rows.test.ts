import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { builtinTypes } from '../registry.ts';
import type { Cell } from '../resource-type.ts';

const created = '2024-01-01T00:00:00Z';
const metadata = { name: 'x', namespace: 'm', creationTimestamp: created };
const age = { age: created };

type Row = readonly [
  title: string,
  resource: string,
  object: Readonly<Record<string, unknown>>,
  cells: readonly Cell[],
];

const service = (spec: object, status: object = {}): object => ({ spec: { ports: [], ...spec }, status });
const event = (fields: object): object => ({
  involvedObject: { kind: 'Pod', name: 'p' },
  source: {},
  ...fields,
});

const rows: readonly Row[] = [
  [
    'healthy component',
    'componentstatuses',
    { conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
    ['x', 'Healthy', 'ok', ''],
  ],
  [
    'sick component',
    'componentstatuses',
    { conditions: [{ type: 'Healthy', status: 'False', error: 'no' }] },
    ['x', 'Unhealthy', '', 'no'],
  ],
  ['silent component', 'componentstatuses', {}, ['x', 'Unknown', '', '']],
  ['config map', 'configmaps', { data: { a: '', b: '' }, binaryData: { c: '' } }, ['x', 3, age]],
  ['empty config map', 'configmaps', {}, ['x', 0, age]],
  ['secret', 'secrets', { type: 'Opaque', data: { a: '' } }, ['x', 'Opaque', 1, age]],
  ['service account', 'serviceaccounts', { secrets: [{ name: 's' }] }, ['x', age]],
  ['namespace', 'namespaces', { status: { phase: 'Active' } }, ['x', 'Active', age]],
  ['no endpoints', 'endpoints', {}, ['x', '<none>', age]],
  [
    'endpoints',
    'endpoints',
    {
      subsets: [
        { addresses: [{ ip: '1.1.1.1' }, { ip: 'fd::1' }], ports: [{ port: 80 }] },
        { notReadyAddresses: [{ ip: '9.9.9.9' }], ports: [{ port: 1 }] },
      ],
    },
    ['x', '1.1.1.1:80,[fd::1]:80', age],
  ],
  [
    'many endpoints',
    'endpoints',
    {
      subsets: [
        { addresses: [{ ip: 'a' }, { ip: 'b' }], ports: [{ port: 1 }, { port: 2 }] },
        { addresses: [{ ip: 'c' }] },
      ],
    },
    ['x', 'a:1,b:1,a:2 + 2 more...', age],
  ],
  [
    'service',
    'services',
    service({
      type: 'ClusterIP',
      clusterIPs: ['10.0.0.1'],
      ports: [
        { port: 80, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
      selector: { b: '2', a: '1' },
    }),
    ['x', 'ClusterIP', '10.0.0.1', '<none>', '80/TCP,53/UDP', age, 'a=1,b=2'],
  ],
  [
    'service on node ports',
    'services',
    service({
      type: 'NodePort',
      clusterIPs: ['None'],
      externalIPs: ['1.1.1.1', '2.2.2.2'],
      ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }],
    }),
    ['x', 'NodePort', 'None', '1.1.1.1,2.2.2.2', '80:30080/TCP', age, '<none>'],
  ],
  [
    'load balancer that is not there yet',
    'services',
    service({ type: 'LoadBalancer' }),
    ['x', 'LoadBalancer', '<none>', '<pending>', '<none>', age, '<none>'],
  ],
  [
    'load balancer',
    'services',
    service(
      { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      { loadBalancer: { ingress: [{ hostname: 'z.example' }, { ip: '1.1.1.1' }] } },
    ),
    ['x', 'LoadBalancer', '<none>', '1.1.1.1,z.example,9.9.9.9', '<none>', age, '<none>'],
  ],
  [
    'alias',
    'services',
    service({ type: 'ExternalName', externalName: 'a.example' }),
    ['x', 'ExternalName', '<none>', 'a.example', '<none>', age, '<none>'],
  ],
  [
    'volume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'm', name: 'c' },
        storageClassName: 'fast',
        volumeAttributesClassName: 'gold',
        volumeMode: 'Block',
      },
      status: { phase: 'Failed', reason: 'why' },
    },
    ['x', '1Gi', 'RWO,RWX', 'Retain', 'Failed', 'm/c', 'fast', 'gold', 'why', age, 'Block'],
  ],
  [
    'bare volume',
    'persistentvolumes',
    { spec: {}, status: {} },
    ['x', '0', '', '', '', '', '', '<unset>', '', age, '<unset>'],
  ],
  [
    'claim without a volume',
    'persistentvolumeclaims',
    {
      spec: { resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending', capacity: { storage: '2Gi' } },
    },
    ['x', 'Pending', '', '', '', '', '<unset>', age, '<unset>'],
  ],
  [
    'bound claim',
    'persistentvolumeclaims',
    {
      spec: { volumeName: 'v', storageClassName: 'slow', volumeMode: 'Filesystem' },
      status: { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOncePod'] },
    },
    ['x', 'Bound', 'v', '2Gi', 'RWOP', 'slow', '<unset>', age, 'Filesystem'],
  ],
  [
    'event',
    'events',
    event({
      type: 'Warning',
      reason: 'Failed',
      message: ' m \n',
      firstTimestamp: 'A',
      lastTimestamp: 'B',
      count: 3,
      source: { component: 'c', host: 'h' },
    }),
    [{ age: 'B' }, 'Warning', 'Failed', 'pod/p', '', 'c, h', 'm', { age: 'A' }, 3, 'x'],
  ],
  [
    'series of events',
    'events',
    event({
      eventTime: 'E',
      series: { count: 4, lastObservedTime: 'S' },
      reportingComponent: 'r',
      reportingInstance: 'i',
      involvedObject: { kind: 'Node', fieldPath: 'f' },
    }),
    [{ age: 'S' }, '', '', 'node', 'f', 'r, i', '', { age: 'E' }, 5, 'x'],
  ],
  [
    'single event',
    'events',
    event({ eventTime: 'E' }),
    [{ age: 'E' }, '', '', 'pod/p', '', '', '', { age: 'E' }, 1, 'x'],
  ],
  [
    'replication controller',
    'replicationcontrollers',
    {
      spec: {
        replicas: 3,
        selector: { a: 'b' },
        template: {
          spec: {
            containers: [
              { name: 'c', image: 'i' },
              { name: 'd', image: 'j' },
            ],
          },
        },
      },
      status: { replicas: 2, readyReplicas: 1 },
    },
    ['x', 3, 2, 1, age, 'c,d', 'i,j', 'a=b'],
  ],
  [
    'pod template',
    'podtemplates',
    { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
    ['x', 'c', 'i', 'a=b'],
  ],
  [
    'quota',
    'resourcequotas',
    { status: { hard: { pods: '10', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '4' } } },
    ['x', 'pods: 4/10, requests.cpu: 0/1', 'limits.cpu: 0/2', age],
  ],
  ['lease', 'leases', { spec: { holderIdentity: 'h' } }, ['x', 'h', age]],
  ['free lease', 'leases', { spec: {} }, ['x', '', age]],
];

describe('table rows', () => {
  for (const [title, resource, object, cells] of rows) {
    it(title, () => {
      const table = builtinTypes.find((type) => type.resource === resource)?.table;
      assert.ok(table);
      assert.deepEqual(table.cells({ metadata, ...object }, namesFor('orch')), cells);
      assert.equal(cells.length, table.columns.length);
    });
  }

  it('table rows of a deleted volume show the phase Terminating', () => {
    const table = builtinTypes.find((type) => type.resource === 'persistentvolumes')?.table;
    const object = { metadata: { ...metadata, deletionTimestamp: created }, status: { phase: 'Bound' } };
    assert.equal(table?.cells(object, namesFor('orch'))[4], 'Terminating');
  });

  it('table rows take the class of a volume from the older annotation first', () => {
    const names = namesFor('kubernetes');
    const table = builtinTypes.find((type) => type.resource === 'persistentvolumes')?.table;
    const object = {
      metadata: { name: 'x', annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
      spec: { storageClassName: 'new' },
    };
    assert.equal(table?.cells(object, names)[6], 'old');
  });
});
