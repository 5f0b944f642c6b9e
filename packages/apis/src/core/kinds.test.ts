import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { setPath } from '../testing/set-path.ts';
import { type WritePath, type Written, writePath } from '../testing/write-path.ts';
import { configMaps } from './config-map.ts';
import { events } from './event/index.ts';
import { limitRanges } from './limit-range/index.ts';
import { nodes } from './node/index.ts';
import { persistentVolumes } from './persistent-volume/index.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/index.ts';
import { pods } from './pod/index.ts';
import { replicationControllers } from './replication-controller/index.ts';
import { resourceQuotas } from './resource-quota/index.ts';
import { secrets } from './secret/index.ts';

const path = writePath();
const causes = (written: Written): unknown => written.errors.map(({ type, field }) => `${type} ${field}`);

function edited(object: ApiObject, set: Readonly<Record<string, unknown>>): ApiObject {
  const input = cloneJson(object);
  for (const [at, value] of Object.entries(set)) setPath(input, at, value);
  return input;
}

describe('rules of secrets', () => {
  const { object: stored } = path.create(secrets, {
    metadata: { name: 's' },
    data: { a: 'MQ==' },
    immutable: true,
  });

  it('secrets prefer text to bytes, and are stored with bytes only', () => {
    const { object } = path.create(secrets, {
      metadata: { name: 's' },
      data: { a: 'MQ==', b: 'Mg==' },
      stringData: { b: 'zwei', c: 'ü', ['__proto__']: 'x' },
    });
    assert.deepEqual(Object.keys(object), ['metadata', 'data', 'type']);
    const { a, b, c } = object['data'] as Record<string, string>;
    assert.deepEqual([a, b, c], ['MQ==', 'endlaQ==', 'w7w=']);
  });

  it('secrets that are immutable stay so', () => {
    assert.deepEqual(
      causes(path.update(secrets, stored, edited(stored, { 'data.a': 'Mg==', immutable: undefined }))),
      ['FieldValueForbidden immutable', 'FieldValueForbidden data'],
    );
    assert.deepEqual(
      causes(path.update(secrets, stored, edited(stored, { 'metadata.labels': { a: 'b' } }))),
      [],
    );
  });

  it('secrets do not show their values in errors', () => {
    const data = { '.dockerconfigjson': Buffer.from('hunter2').toString('base64') };
    const written = path.create(secrets, { metadata: { name: 's' }, type: 'orch.io/dockerconfigjson', data });
    assert.equal(written.errors.length, 1);
    assert.doesNotMatch(JSON.stringify(written.errors), /hunter2|aHVudGVy/);
  });

  it('secrets of a built-in type have the keys that the type requires, under either naming', () => {
    const create = (type: string): unknown =>
      causes(
        writePath(namesFor('kubernetes')).create(secrets, {
          metadata: { name: 's' },
          type,
          data: { 'tls.crt': '' },
        }),
      );
    assert.deepEqual(create('kubernetes.io/tls'), ['FieldValueRequired data[tls.key]']);
    assert.deepEqual(create('orch.io/tls'), [], 'a type that means nothing here');
  });
});

describe('config maps', () => {
  it('config maps that are immutable stay so', () => {
    const { object } = path.create(configMaps, {
      metadata: { name: 'c' },
      data: { a: '1' },
      immutable: true,
    });
    const next = edited(object, { 'binaryData.b': 'MQ==', immutable: false });
    assert.deepEqual(causes(path.update(configMaps, object, next)), [
      'FieldValueForbidden immutable',
      'FieldValueForbidden binaryData',
    ]);
  });

  it('the size of config maps is limited by their decoded values', () => {
    const values = {
      data: { a: 'x'.repeat(1024) },
      binaryData: { b: Buffer.alloc(1_048_576 - 1024).toString('base64') },
    };
    assert.deepEqual(causes(path.create(configMaps, { metadata: { name: 'c' }, ...values })), []);
    const more = { ...values, data: { a: 'x'.repeat(1025) } };
    assert.deepEqual(causes(path.create(configMaps, { metadata: { name: 'c' }, ...more })), [
      'FieldValueTooLong []',
    ]);
  });
});

describe('limit ranges', () => {
  it('limit ranges get a name when they have none, and amounts in thousandths', () => {
    const limits = [
      { type: 'Container', default: { cpu: '1n', 'a.b/x': '1.5e0' }, min: { memory: '0.1Ki' } },
    ];
    const { object } = path.create(limitRanges, { metadata: {}, spec: { limits } });
    assert.equal(object.metadata.name, '00000000-0000-4000-8000-000000000001');
    const [item] = (object['spec'] as { limits: Record<string, Record<string, string>>[] }).limits;
    assert.equal(item?.['default']?.['cpu'], '1m');
    assert.equal(item?.['defaultRequest']?.['cpu'], '1m');
    assert.equal(item?.['defaultRequest']?.['memory'], item?.['min']?.['memory']);
  });

  it('limit ranges accept maximum ratios of limits and requests', () => {
    const spec = (ratio: string): object => ({
      limits: [
        { type: 'Container', min: { cpu: '1' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: ratio } },
      ],
    });
    const create = (ratio: string): unknown =>
      causes(path.create(limitRanges, { metadata: { name: 'l' }, spec: spec(ratio) }));
    assert.deepEqual(
      [create('4'), create('5')],
      [[], ['FieldValueInvalid spec.limits[0].maxLimitRequestRatio[cpu]']],
    );
  });
});

describe('replication controllers', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { object: stored } = path.create(replicationControllers, {
    metadata: { name: 'r' },
    spec: { template },
  });
  const scale = replicationControllers.scale;

  it('replication controllers have a scale subresource that changes their replicas', () => {
    const object = edited(stored, { 'status.replicas': 2 });
    assert.deepEqual(
      [scale?.replicas(object), scale?.statusReplicas(object), scale?.selector(object)],
      [1, 2, 'a=b'],
    );
    scale?.setReplicas(object, 5);
    assert.equal(scale?.replicas(object), 5);
  });

  it('replication controllers report parts that are not more than the whole', () => {
    const status = { replicas: 1, readyReplicas: 2, availableReplicas: 3 };
    assert.deepEqual(
      causes(path.update(replicationControllers, stored, edited(stored, { status }), 'status')),
      [
        'FieldValueInvalid status.readyReplicas',
        'FieldValueInvalid status.availableReplicas',
        'FieldValueInvalid status.availableReplicas',
      ],
    );
  });

  it('replication controllers check labels and ephemeral containers of their template', () => {
    const bad = {
      metadata: { labels: { a: 'b', 'x y': '' } },
      spec: { ...template.spec, ephemeralContainers: [{ name: 'e', image: 'e' }] },
    };
    const written = path.create(replicationControllers, {
      metadata: { name: 'r' },
      spec: { selector: { a: 'b' }, template: bad },
    });
    // The controller takes its own labels from the template.
    assert.deepEqual(causes(written), [
      'FieldValueInvalid metadata.labels',
      'FieldValueInvalid spec.template.labels',
      'FieldValueForbidden spec.template.spec.ephemeralContainers',
    ]);
  });
});

describe('rules of nodes', () => {
  const create = (spec: object): ApiObject => path.create(nodes, { metadata: { name: 'n' }, spec }).object;

  it('nodes have one range as both fields', () => {
    assert.deepEqual(create({ podCIDR: '10.0.0.0/24' })['spec'], {
      podCIDR: '10.0.0.0/24',
      podCIDRs: ['10.0.0.0/24'],
    });
    assert.deepEqual(create({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] })['spec'], {
      podCIDR: '10.0.0.0/24',
      podCIDRs: ['10.0.0.0/24', 'fd00::/64'],
    });
  });

  it('nodes keep ranges and identity once they have them', () => {
    const stored = create({ podCIDR: '10.0.0.0/24', providerID: 'a://b' });
    const next = edited(stored, {
      'spec.podCIDR': '10.0.1.0/24',
      'spec.podCIDRs': ['10.0.1.0/24'],
      'spec.providerID': 'c',
    });
    assert.deepEqual(causes(path.update(nodes, stored, next)), [
      'FieldValueForbidden spec.podCIDRs',
      'FieldValueForbidden spec.providerID',
    ]);
  });

  it('nodes write their status through the subresource only', () => {
    const stored = create({});
    const next = edited(stored, { 'status.phase': 'Running', 'spec.unschedulable': true });
    assert.deepEqual(path.update(nodes, stored, next).object['status'], stored['status']);
    const written = path.update(nodes, stored, next, 'status').object;
    assert.equal((written['status'] as Record<string, unknown>)['phase'], 'Running');
    assert.deepEqual(written['spec'], stored['spec']);
  });

  it('nodes take no dynamic configuration', () => {
    assert.deepEqual(create({ configSource: { configMap: { name: 'c', namespace: 'm' } } })['spec'], {});
  });
});

describe('persistent volume claims', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const { object: stored } = path.create(persistentVolumeClaims, { metadata: { name: 'p' }, spec });

  it('claims grow once they are bound', () => {
    const bound = edited(stored, { 'status.phase': 'Bound', 'spec.volumeName': 'v' });
    const size = (storage: string): unknown =>
      causes(
        path.update(
          persistentVolumeClaims,
          bound,
          edited(bound, { 'spec.resources.requests.storage': storage }),
        ),
      );
    assert.deepEqual(
      [size('2Gi'), size('1Mi')],
      [[], ['FieldValueForbidden spec.resources.requests.storage']],
    );
    assert.deepEqual(
      causes(path.update(persistentVolumeClaims, bound, edited(bound, { 'spec.volumeName': 'w' }))),
      ['FieldValueForbidden spec'],
    );
  });

  it('claims move their class from the annotation to the spec', () => {
    const key = 'volume.beta.orch.io/storage-class';
    const old = edited(stored, { 'metadata.annotations': { [key]: 'fast' } });
    const move = (to: string): unknown =>
      causes(path.update(persistentVolumeClaims, old, edited(old, { 'spec.storageClassName': to })));
    assert.deepEqual([move('fast'), move('slow')], [[], ['FieldValueForbidden spec']]);
  });

  it('claims name one source by both fields', () => {
    const sources = (given: object): unknown => {
      const { dataSource, dataSourceRef } = path.create(persistentVolumeClaims, {
        metadata: { name: 'p' },
        spec: { ...spec, ...given },
      }).object['spec'] as Record<string, { name?: string } | undefined>;
      return [dataSource?.name, dataSourceRef?.name];
    };
    const claim = { kind: 'PersistentVolumeClaim', name: 'c' };
    const snapshot = { apiGroup: 'snapshot.storage.orch.io', kind: 'VolumeSnapshot', name: 's' };
    const other = { apiGroup: 'a.example', kind: 'Backup', name: 'b' };
    assert.deepEqual(sources({ dataSource: claim }), ['c', 'c']);
    assert.deepEqual(sources({ dataSource: snapshot }), ['s', 's']);
    assert.deepEqual(sources({ dataSource: other }), [undefined, undefined]);
    assert.deepEqual(sources({ dataSourceRef: other }), ['b', 'b']);
  });

  it('claims do not take a source of another namespace for one of their own while its gate is disabled', () => {
    const foreign = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'c', namespace: 'other' };
    const source = ({ object }: Written): unknown => {
      const { dataSource = 'none', dataSourceRef = 'none' } = object['spec'] as Record<string, unknown>;
      return [dataSource, dataSourceRef];
    };
    const claimOf = (given: object, in137: WritePath): Written =>
      in137.create(persistentVolumeClaims, { metadata: { name: 'p' }, spec: { ...spec, ...given } });
    const closed = writePath(namesFor('orch'), '1.37');
    const open = writePath(namesFor('orch'), '1.37', {
      openGates: new Set(['CrossNamespaceVolumeDataSource']),
    });
    assert.deepEqual(source(claimOf({ dataSourceRef: foreign }, closed)), ['none', 'none']);
    const { namespace: _, ...local } = foreign;
    const own = { ...foreign, namespace: '' };
    assert.deepEqual(source(claimOf({ dataSourceRef: own }, closed)), [local, own]);
    const { object } = claimOf({ dataSourceRef: foreign }, open);
    assert.deepEqual(source({ object, problems: [], errors: [], warnings: [] }), ['none', foreign]);
    assert.deepEqual(causes(claimOf({ dataSource: local, dataSourceRef: foreign }, open)), [
      'FieldValueInvalid spec',
    ]);
    const kept = closed.update(
      persistentVolumeClaims,
      object,
      edited(object, { 'metadata.labels': { a: 'b' } }),
    );
    assert.deepEqual([source(kept), causes(kept)], [['none', foreign], []]);
  });
});

describe('persistent volumes', () => {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
  const create = (given: object): Written =>
    path.create(persistentVolumes, { metadata: { name: 'v' }, spec: { ...spec, ...given } });

  it('volumes name secrets with their namespace', () => {
    const csi = { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { name: 's' } };
    assert.deepEqual(causes(create({ csi })), ['FieldValueRequired spec.csi.nodePublishSecretRef.namespace']);
  });

  it('volumes mount once in the mode for a single pod', () => {
    const hostPath = { path: '/x' };
    assert.deepEqual(causes(create({ hostPath, accessModes: ['ReadWriteOncePod'] })), []);
    assert.deepEqual(causes(create({ hostPath, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] })), [
      'FieldValueForbidden spec.accessModes',
    ]);
  });

  it('volumes keep the nodes they can be reached from', () => {
    const nodeAffinity = (value: string): object => ({
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }],
      },
    });
    const { object } = create({ local: { path: '/x' }, nodeAffinity: nodeAffinity('b') });
    assert.deepEqual(
      causes(
        path.update(persistentVolumes, object, edited(object, { 'spec.nodeAffinity': nodeAffinity('c') })),
      ),
      ['FieldValueInvalid nodeAffinity'],
    );
  });
});

describe('resource quotas', () => {
  it('quotas check what is reported as used', () => {
    const { object } = path.create(resourceQuotas, {
      metadata: { name: 'q' },
      spec: { hard: { pods: '1' } },
    });
    const next = edited(object, { status: { hard: { pods: '1' }, used: { foo: '1', pods: '-1' } } });
    assert.deepEqual(causes(path.update(resourceQuotas, object, next, 'status')), [
      'FieldValueInvalid status.used[foo]',
      'FieldValueInvalid status.used[pods]',
    ]);
  });
});

describe('selectable fields', () => {
  it('selectable fields of pods are read from spec and status', () => {
    const object = { metadata: {}, spec: { nodeName: 'n' }, status: { podIPs: [{ ip: 'a' }, { ip: 'b' }] } };
    const { fields } = pods;
    assert.deepEqual(
      ['spec.nodeName', 'spec.host', 'status.podIPs', 'status.phase'].map((field) => fields[field]?.(object)),
      ['n', 'n', 'a,b', ''],
    );
  });

  it('selectable fields of events: the source falls back to the reporting component', () => {
    const source = events.fields['source'];
    assert.equal(source?.({ metadata: {}, source: { component: 'a' }, reportingComponent: 'b' }), 'a');
    assert.equal(source?.({ metadata: {}, source: {}, reportingComponent: 'b' }), 'b');
  });

  it('selectable fields of nodes: a node is schedulable by default', () => {
    const unschedulable = nodes.fields['spec.unschedulable'];
    assert.equal(unschedulable?.({ metadata: {} }), 'false');
    assert.equal(unschedulable?.({ metadata: {}, spec: { unschedulable: true } }), 'true');
  });
});
