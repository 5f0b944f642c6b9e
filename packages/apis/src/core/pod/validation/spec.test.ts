import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { setPath } from '../../../testing/set-path.ts';
import { writePath } from '../../../testing/write-path.ts';
import { pods } from '../index.ts';

const base = {
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'nginx' }], serviceAccountName: 'default' },
};

type Case = readonly [title: string, set: Readonly<Record<string, unknown>>, expected: readonly string[]];

const volume = (source: object): Readonly<Record<string, unknown>> => ({
  'spec.volumes': [{ name: 'v', ...source }],
});
const claim = volume({ persistentVolumeClaim: { claimName: 'c' } });
const nodeTerms = (terms: object): Readonly<Record<string, unknown>> => ({
  'spec.affinity': {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [terms] } },
  },
});
const terms =
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]';
const podTerm = (selector: object): Readonly<Record<string, unknown>> => ({
  'spec.affinity': {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: selector }],
    },
  },
});
const podSelector =
  'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector';

const containers: readonly Case[] = [
  [
    'init containers have an image',
    { 'spec.initContainers': [{ name: 'i' }] },
    ['Required spec.initContainers[0].image'],
  ],
  [
    'init containers have no lifecycle',
    { 'spec.initContainers': [{ name: 'i', image: 'i', lifecycle: {} }] },
    ['Invalid spec.initContainers[0].lifecycle'],
  ],
  [
    'a variable has one source',
    {
      'spec.containers[0].env': [
        {
          name: 'A',
          valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } },
        },
      ],
    },
    ['Invalid spec.containers[0].env[0].valueFrom'],
  ],
  [
    'a variable can show one label',
    {
      'spec.containers[0].env': [
        { name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a.b/c']" } } },
      ],
    },
    [],
  ],
  [
    'a variable cannot show all labels',
    { 'spec.containers[0].env': [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
    ['NotSupported spec.containers[0].env[0].valueFrom.fieldRef.fieldPath'],
  ],
  [
    'a variable shows amounts in sensible units',
    {
      'spec.containers[0].env': [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1Ki' } } },
      ],
    },
    ['Invalid spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor'],
  ],
  [
    'a variable can show huge pages',
    {
      'spec.containers[0].env': [
        {
          name: 'A',
          valueFrom: { resourceFieldRef: { resource: 'requests.hugepages-2Mi', divisor: '1Mi' } },
        },
      ],
    },
    [],
  ],
  [
    'all keys come from one object',
    { 'spec.containers[0].envFrom': [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }] },
    ['Invalid spec.containers[0].envFrom'],
  ],
  [
    'an object has a name',
    { 'spec.containers[0].envFrom': [{ secretRef: {} }] },
    ['Required spec.containers[0].envFrom[0].secretRef.name'],
  ],
  [
    'a hook does one thing',
    { 'spec.containers[0].lifecycle': { preStop: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } } },
    ['Forbidden spec.containers[0].lifecycle.preStop.tcpSocket'],
  ],
  [
    'a gRPC probe has a port',
    { 'spec.containers[0].livenessProbe': { grpc: { port: 0 } } },
    ['Invalid spec.containers[0].livenessProbe.grpc.port'],
  ],
  ['a probe asks a named port', { 'spec.containers[0].readinessProbe': { tcpSocket: { port: 'http' } } }, []],
  [
    'huge pages come in whole pages',
    { 'spec.containers[0].resources': { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } } },
    [
      'Invalid spec.containers[0].resources.limits[hugepages-2Mi]',
      'Invalid spec.containers[0].resources.requests[hugepages-2Mi]',
    ],
  ],
  [
    'foreign resources have a domain',
    { 'spec.containers[0].resources': { limits: { 'requests.a.b/x': '1' } } },
    [
      'Invalid spec.containers[0].resources.limits[requests.a.b/x]',
      'Invalid spec.containers[0].resources.requests[requests.a.b/x]',
    ],
  ],
  [
    'resources of the domain of the API are native',
    { 'spec.containers[0].resources': { limits: { 'orch.io/x': '1.5' } } },
    [],
  ],
  [
    'a profile is named where it is used',
    { 'spec.securityContext': { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'p' } } },
    ['Invalid spec.securityContext.seccompProfile.localhostProfile'],
  ],
  [
    'a profile is below its directory',
    { 'spec.securityContext': { seccompProfile: { type: 'Localhost', localhostProfile: '../p' } } },
    ['Invalid spec.securityContext.seccompProfile.localhostProfile'],
  ],
  [
    'groups are numbers of groups',
    { 'spec.securityContext': { supplementalGroups: [1, -1] } },
    ['Invalid spec.securityContext.supplementalGroups[1]'],
  ],
  [
    'users of Windows have names',
    { 'spec.securityContext': { windowsOptions: { runAsUserName: 'a\\b\\c' } } },
    ['Invalid spec.securityContext.windowsOptions.runAsUserName'],
  ],
  [
    'users of Windows may be of a domain',
    { 'spec.securityContext': { windowsOptions: { runAsUserName: 'NT AUTHORITY\\System' } } },
    [],
  ],
  [
    'credentials of Windows are not empty',
    { 'spec.securityContext': { windowsOptions: { gmsaCredentialSpec: '' } } },
    ['Invalid spec.securityContext.windowsOptions.gmsaCredentialSpec'],
  ],
];

const volumes: readonly Case[] = [
  [
    'devices exist',
    { 'spec.containers[0].volumeDevices': [{ name: 'x', devicePath: '/d' }] },
    ['NotFound spec.containers[0].volumeDevices[0].name'],
  ],
  [
    'devices are made from claims',
    { ...volume({ emptyDir: {} }), 'spec.containers[0].volumeDevices': [{ name: 'v', devicePath: '/d' }] },
    ['Invalid spec.containers[0].volumeDevices[0].name'],
  ],
  [
    'nothing is mounted that is a device',
    {
      ...claim,
      'spec.containers[0].volumeDevices': [{ name: 'v', devicePath: '/d' }],
      'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/m' }],
    },
    ['Invalid spec.containers[0].volumeMounts[0].name', 'Invalid spec.containers[0].volumeDevices[0].name'],
  ],
  [
    'devices have their own paths',
    {
      ...claim,
      'spec.containers[0].volumeDevices': [
        { name: 'v', devicePath: '/d' },
        { name: 'v', devicePath: '/d' },
      ],
    },
    [
      'Invalid spec.containers[0].volumeDevices[1].name',
      'Invalid spec.containers[0].volumeDevices[1].devicePath',
    ],
  ],
  [
    'privileged containers may propagate mounts',
    {
      ...claim,
      'spec.containers[0].securityContext': { privileged: true },
      'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/m', mountPropagation: 'Bidirectional' }],
    },
    [],
  ],
  [
    'an absolute part of a volume is none',
    { ...claim, 'spec.containers[0].volumeMounts': [{ name: 'v', mountPath: '/m', subPathExpr: '/a' }] },
    ['Invalid spec.containers[0].volumeMounts.subPathExpr'],
  ],
  [
    'files about the pod show one thing',
    volume({
      downwardAPI: {
        items: [
          {
            path: 'f',
            fieldRef: { fieldPath: 'metadata.name' },
            resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' },
          },
        ],
      },
    }),
    ['Invalid spec.volumes[0].downwardAPI'],
  ],
  [
    'files about the pod show something',
    volume({ downwardAPI: { items: [{ path: 'f' }] } }),
    ['Required spec.volumes[0].downwardAPI'],
  ],
  [
    'files name the container whose amounts they show',
    volume({ downwardAPI: { items: [{ path: 'f', resourceFieldRef: { resource: 'limits.cpu' } }] } }),
    ['Required spec.volumes[0].downwardAPI.resourceFieldRef.containerName'],
  ],
  [
    'projected files do not collide',
    volume({
      projected: {
        sources: [
          { configMap: { name: 'c', items: [{ key: 'k', path: 'f' }] } },
          { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
        ],
      },
    }),
    ['Invalid spec.volumes[0].projected'],
  ],
  [
    'the file of a projected token may be that of another source',
    volume({
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
          { serviceAccountToken: { path: 'f' } },
        ],
      },
    }),
    [],
  ],
  [
    'a projected source is one thing',
    volume({ projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'c' } }] } }),
    ['Forbidden spec.volumes[0].projected.sources[0]'],
  ],
  [
    'a projected source has a name',
    volume({ projected: { sources: [{ secret: {} }] } }),
    ['Required spec.volumes[0].projected.sources[0].secret.name'],
  ],
  [
    'a disk is named in one way',
    volume({ fc: { targetWWNs: ['a'], wwids: ['b'], lun: 1 } }),
    ['Invalid spec.volumes[0].fc.targetWWNs'],
  ],
  ['a disk is named', volume({ fc: {} }), ['Required spec.volumes[0].fc.targetWWNs']],
  ['a target has units', volume({ fc: { targetWWNs: ['a'] } }), ['Required spec.volumes[0].fc.lun']],
  [
    'a dataset is named in one way',
    volume({ flocker: { datasetName: 'a', datasetUUID: 'b' } }),
    ['Invalid spec.volumes[0].flocker'],
  ],
  [
    'targets have a known format',
    volume({ iscsi: { targetPortal: '1.1.1.1', iqn: 'x', lun: 0 } }),
    ['Invalid spec.volumes[0].iscsi.iqn'],
  ],
  [
    'authentication takes a secret',
    volume({
      iscsi: { targetPortal: '1.1.1.1', iqn: 'iqn.2001-04.com.example:a', lun: 0, chapAuthSession: true },
    }),
    ['Required spec.volumes[0].iscsi.secretRef'],
  ],
  [
    'disks are where their kind says',
    volume({ azureDisk: { diskName: 'd', diskURI: 'https://x', kind: 'Managed' } }),
    ['NotSupported spec.volumes[0].azureDisk.diskURI'],
  ],
  [
    'checkouts stay in their volume',
    volume({ gitRepo: { repository: 'r', directory: '../x' } }),
    ['Invalid spec.volumes[0].gitRepo.directory'],
  ],
  [
    'claims of a pod are valid',
    volume({
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { 'a b': '' } },
          spec: { accessModes: ['ReadWriteOnce'] },
        },
      },
    }),
    [
      'Invalid spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.labels',
      'Required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]',
    ],
  ],
];

const placement: readonly Case[] = [
  [
    'a policy of none needs name servers',
    { 'spec.dnsPolicy': 'None', 'spec.dnsConfig': { searches: ['a'] } },
    ['Required spec.dnsConfig.nameservers'],
  ],
  [
    'resolvers know few domains',
    { 'spec.dnsConfig': { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g.'] } },
    ['Invalid spec.dnsConfig.searches'],
  ],
  [
    'Windows has no Linux settings',
    {
      'spec.os': { name: 'windows' },
      'spec.hostPID': true,
      'spec.securityContext': { fsGroup: 1 },
      'spec.containers[0].securityContext': { privileged: true },
    },
    [
      'Forbidden spec.hostPID',
      'Forbidden spec.securityContext.fsGroup',
      'Forbidden spec.containers[0].securityContext.privileged',
    ],
  ],
  [
    'Linux has no Windows settings',
    { 'spec.os': { name: 'linux' }, 'spec.securityContext': { windowsOptions: {} } },
    ['Forbidden spec.securityContext.windowsOptions'],
  ],
  ['there are two operating systems', { 'spec.os': { name: 'plan9' } }, ['NotSupported spec.os']],
  [
    'existence has no values',
    nodeTerms({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }),
    [`Forbidden ${terms}.matchExpressions[0].values`],
  ],
  [
    'order needs a number',
    nodeTerms({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['b'] }] }),
    [`Invalid ${terms}.matchExpressions[0].values[0]`],
  ],
  [
    'order needs one number',
    nodeTerms({ matchExpressions: [{ key: 'a', operator: 'Lt', values: ['1', '2'] }] }),
    [`Required ${terms}.matchExpressions[0].values`],
  ],
  [
    'nodes can be selected by name',
    nodeTerms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }),
    [],
  ],
  [
    'nodes cannot be selected by other fields',
    nodeTerms({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['n'] }] }),
    [`Invalid ${terms}.matchFields[0].key`],
  ],
  [
    'fields have one value',
    nodeTerms({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n', 'm'] }] }),
    [`Required ${terms}.matchFields[0].values`],
  ],
  [
    'selectors select by labels',
    podTerm({ matchLabels: { 'a b': 'c' } }),
    [`Invalid ${podSelector}.matchLabels`],
  ],
  [
    'selectors know four operators',
    podTerm({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }),
    [`Invalid ${podSelector}.matchExpressions[0].operator`],
  ],
  [
    'absence has no values',
    podTerm({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist', values: ['1'] }] }),
    [`Forbidden ${podSelector}.matchExpressions[0].values`],
  ],
  [
    'ports of init containers do not collide with others',
    {
      'spec.initContainers': [{ name: 'i', image: 'i', ports: [{ containerPort: 1, hostPort: 5 }] }],
      'spec.containers[0].ports': [{ containerPort: 1, hostPort: 5 }],
    },
    [],
  ],
  [
    'the same port may be used at two addresses',
    {
      'spec.containers[0].ports': [
        { containerPort: 1, hostPort: 5, hostIP: '1.1.1.1' },
        { containerPort: 2, hostPort: 5, hostIP: '1.1.1.2' },
      ],
    },
    [],
  ],
];

for (const [name, cases] of Object.entries({ containers, volumes, placement })) {
  describe(`pod specs: ${name}`, () => {
    const path = writePath();
    for (const [title, set, expected] of cases) {
      it(title, () => {
        const input = cloneJson(base) as Record<string, unknown>;
        for (const [at, value] of Object.entries(set)) setPath(input, at, value);
        const { problems, errors } = path.create(pods, input);
        assert.deepEqual(problems, []);
        assert.deepEqual(
          errors.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`).sort(),
          [...expected].sort(),
        );
      });
    }
  });
}

describe('probes of releases that let them name a grace period', () => {
  const create = (probe: string, seconds: number): readonly string[] => {
    const input = cloneJson(base) as Record<string, unknown>;
    setPath(input, `spec.containers[0].${probe}`, {
      tcpSocket: { port: 1 },
      terminationGracePeriodSeconds: seconds,
    });
    return writePath(namesFor('orch'), '1.25')
      .create(pods, input)
      .errors.map(({ field }) => field);
  };

  it('probes of releases that let them name a grace period may be given one, but not when they decide about readiness', () => {
    assert.deepEqual(create('livenessProbe', 5), []);
    assert.deepEqual(create('livenessProbe', 0), [
      'spec.containers[0].livenessProbe.terminationGracePeriodSeconds',
    ]);
    assert.deepEqual(create('readinessProbe', 5), [
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds',
    ]);
  });
});

describe('messages of validation', () => {
  it('messages are whole and name what was wrong', () => {
    const { errors } = writePath().create(pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'A', image: ' i' }] },
    });
    for (const { message } of errors)
      assert.match(message, /^(Required|Invalid|Unsupported|Forbidden|Duplicate|Not found)/);
    assert.equal(errors.length, 2);
  });
});
