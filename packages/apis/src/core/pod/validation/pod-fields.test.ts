import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { Release } from '../../../release.ts';
import { getPath } from '../../../testing/set-path.ts';
import { writePath } from '../../../testing/write-path.ts';
import { podTemplates } from '../../pod-template.ts';
import { pods } from '../index.ts';

const names = namesFor('orch');
const container = (fields: object = {}): object => ({ name: 'c', image: 'i', ...fields });
const metadata = { name: 'p', labels: { a: 'b', l: 'm' } };
const pod = (spec: object, annotations?: object): Readonly<Record<string, unknown>> => ({
  metadata: { ...metadata, ...(annotations === undefined ? {} : { annotations }) },
  spec: { serviceAccountName: 'default', containers: [container()], ...spec },
});
const created = (object: Readonly<Record<string, unknown>>, release: Release = '1.37') =>
  writePath(names, release).create(pods, object);
const causes = (object: Readonly<Record<string, unknown>>, release?: Release): readonly string[] =>
  created(object, release).errors.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`);

const spread = (...fields: readonly object[]): object => ({
  topologySpreadConstraints: fields.map((one) => ({
    maxSkew: 1,
    topologyKey: 'z',
    whenUnsatisfiable: 'DoNotSchedule',
    ...one,
  })),
});
const near = (fields: object): object => ({
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'z', ...fields }] },
  },
});
const selected = { labelSelector: { matchLabels: { a: 'b' } } };
const term = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
const using = (requests: object, fields: object = {}): object =>
  container({ resources: { requests }, ...fields });
const nodes = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['a b'] }] }],
  },
};
const armor = `${names.annotations.apparmorContainerPrefix}c`;

const cases: readonly (readonly [title: string, spec: object, expected: readonly string[]])[] = [
  ['a host name is a DNS name', { hostnameOverride: 'a_b' }, ['Invalid spec.hostnameOverride']],
  ['a host name is not empty', { hostnameOverride: '' }, ['Invalid spec.hostnameOverride']],
  ['a host name has 64 characters', { hostnameOverride: `${'a'.repeat(60)}.bcd` }, []],
  [
    'a host name has no more',
    { hostnameOverride: `${'a'.repeat(60)}.bcde` },
    ['TooLong spec.hostnameOverride'],
  ],
  [
    'a host name stands beside no other rule for it',
    { hostnameOverride: 'a', hostNetwork: true, setHostnameAsFQDN: true },
    ['Forbidden spec.hostnameOverride', 'Forbidden spec.hostnameOverride'],
  ],
  ['a pod requests memory', { resources: { requests: { memory: '1Gi' } } }, []],
  [
    'a pod requests no devices',
    { resources: { requests: { 'example.com/x': '1' }, limits: { 'example.com/x': '1' } } },
    [
      'NotSupported spec.resources.limits[example.com/x]',
      'NotSupported spec.resources.requests[example.com/x]',
    ],
  ],
  [
    'a pod requests at most its limit',
    { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
    ['Invalid spec.resources.requests'],
  ],
  [
    'a pod on Windows has no resources',
    { os: { name: 'windows' }, resources: {} },
    ['Forbidden spec.resources'],
  ],
  [
    'a pod requests what its containers request together',
    {
      resources: { requests: { cpu: '1' } },
      containers: [using({ cpu: '600m' }), using({ cpu: '600m' }, { name: 'd' })],
    },
    ['Invalid spec.resources.requests[cpu]'],
  ],
  [
    'an init container runs beside those that keep running',
    {
      resources: { requests: { cpu: '1' } },
      initContainers: [
        using({ cpu: '300m' }, { name: 'd', restartPolicy: 'Always' }),
        using({ cpu: '800m' }, { name: 'e' }),
      ],
    },
    ['Invalid spec.resources.requests[cpu]'],
  ],
  [
    'a container has at most the limit of its pod',
    {
      resources: { limits: { cpu: '1' } },
      containers: [container({ resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } })],
    },
    ['Invalid spec.resources.containers[0][cpu].limits'],
  ],
  [
    'gates have names that differ',
    { schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: '' }] },
    ['Duplicate spec.schedulingGates[1]', 'Invalid spec.schedulingGates[2]'],
  ],
  [
    'a pod with gates has no node',
    { schedulingGates: [{ name: 'a' }], nodeName: 'n' },
    ['Forbidden spec.nodeName'],
  ],
  [
    'a least number of domains is for pods that wait',
    spread({ minDomains: 1, whenUnsatisfiable: 'ScheduleAnyway' }),
    ['Invalid spec.topologySpreadConstraints[0].minDomains'],
  ],
  [
    'keys of labels of a constraint need a selector',
    spread({ matchLabelKeys: ['l'] }),
    ['Forbidden spec.topologySpreadConstraints[0].matchLabelKeys'],
  ],
  [
    'a constraint does not select by a key in two ways',
    spread({ matchLabelKeys: ['a'], ...selected }),
    ['Invalid spec.topologySpreadConstraints[0][0]'],
  ],
  [
    'of three equal constraints the first two are duplicates',
    spread({}, {}, {}),
    [0, 1].map((i) => `Duplicate spec.topologySpreadConstraints[${i}].{topologyKey, whenUnsatisfiable}`),
  ],
  [
    'a policy for nodes is not empty',
    spread({ nodeTaintsPolicy: '' }),
    ['NotSupported spec.topologySpreadConstraints[0].nodeTaintsPolicy'],
  ],
  ['a topology key is any text', spread({ topologyKey: 'a b' }), []],
  [
    'keys of labels of a term need a selector',
    near({ matchLabelKeys: ['l'], mismatchLabelKeys: ['c'] }),
    [`Forbidden ${term}.matchLabelKeys`, `Forbidden ${term}.mismatchLabelKeys`],
  ],
  [
    'a key of a term is not for equal and for different values',
    near({ matchLabelKeys: ['c'], mismatchLabelKeys: ['c'], ...selected }),
    [`Invalid ${term}.matchLabelKeys[0]`],
  ],
  [
    'keys of a term are those of labels',
    near({ matchLabelKeys: ['a b'], mismatchLabelKeys: [''], ...selected }),
    [`Invalid ${term}.matchLabelKeys[0]`, `Invalid ${term}.mismatchLabelKeys[0]`],
  ],
  [
    'a pod with its own users has no block devices',
    {
      hostUsers: false,
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }],
      containers: [container({ volumeDevices: [{ name: 'v', devicePath: '/d' }] })],
    },
    ['Forbidden spec.containers[0].volumeDevices'],
  ],
  [
    'a pod with the users of the node does not see all of /proc',
    { containers: [container({ securityContext: { procMount: 'Unmasked' } })] },
    ['Invalid spec.containers[0].securityContext.procMount'],
  ],
  [
    'a choice of a security context is not empty',
    { securityContext: { supplementalGroupsPolicy: '', seLinuxChangePolicy: '' } },
    ['supplementalGroupsPolicy', 'seLinuxChangePolicy'].map(
      (field) => `NotSupported spec.securityContext.${field}`,
    ),
  ],
];

const sleeping = (seconds: number): object => container({ lifecycle: { preStop: { sleep: { seconds } } } });
const stopping = (name: string, stopSignal: string): object => ({
  os: { name },
  containers: [container({ lifecycle: { stopSignal } })],
});
const rule = (action: string, exitCodes: object | undefined): object =>
  container({ restartPolicy: 'Never', restartPolicyRules: [{ action, ...(exitCodes && { exitCodes }) }] });
const policy = (restartPolicy: string): object =>
  container({ name: 'd', resizePolicy: [{ resourceName: 'cpu', restartPolicy }] });
const claiming = (...claims: readonly object[]): object => ({
  resourceClaims: [{ name: 'a', resourceClaimName: 'x' }],
  containers: [container({ resources: { claims } })],
});
const mounting = (fields: object): object => ({
  volumes: [{ name: 'v', emptyDir: {} }],
  containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v', ...fields }] })],
});
const reading = (volumeName: string): object => ({
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'h', hostPath: { path: '/h' } },
  ],
  containers: [
    container({ env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName, path: 'p', key: 'K' } } }] }),
  ],
});
const projecting = (...sources: readonly object[]): object => ({
  volumes: [{ name: 'v', projected: { sources } }],
});
const certificate = (fields: object): object => ({
  podCertificate: { signerName: 'example.com/s', keyType: 'ED25519', keyPath: 'k', ...fields },
});
const source = 'spec.volumes[0].projected.sources';
const claims = 'spec.containers[0].resources.claims';
const rules = 'spec.containers[0].restartPolicyRules[0]';
const recursion = 'spec.containers[0].volumeMounts.recursiveReadOnly';
const volumeName = 'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName';

const ofContainers: readonly (readonly [title: string, spec: object, expected: readonly string[]])[] = [
  ['a container sleeps as long as its pod ends', { containers: [sleeping(30)] }, []],
  [
    'a container does not sleep longer',
    { containers: [sleeping(31)] },
    ['Invalid spec.containers[0].lifecycle.preStop.sleep'],
  ],
  [
    'a rule for restarts has a known action and exit codes',
    { containers: [rule('', undefined)] },
    [`NotSupported ${rules}.action`, `Required ${rules}.exitCodes`],
  ],
  [
    'a rule for restarts has a known operator',
    { containers: [rule('Restart', { values: [1] })] },
    [`NotSupported ${rules}.exitCodes.operator`],
  ],
  [
    'a container of a pod that never restarts is not restarted for resources',
    { restartPolicy: 'Never', containers: [container(), policy('RestartContainer')] },
    ['Invalid spec.containers[1].resizePolicy'],
  ],
  [
    'an init container that ends is not restarted for resources',
    { initContainers: [policy('RestartContainer')] },
    ['Invalid spec.initContainers[0].resizePolicy[0].restartPolicy'],
  ],
  [
    'a container uses two requests of a claim',
    claiming({ name: 'a', request: 'q' }, { name: 'a', request: 'r' }),
    [],
  ],
  [
    'a container uses no request twice, and no unknown claim',
    claiming({ name: 'a', request: 'q' }, { name: 'a', request: 'q' }, { name: 'a' }, { name: 'b' }, {}),
    [`Duplicate ${claims}[1]`, `Duplicate ${claims}[2]`, `NotFound ${claims}[3]`, `Required ${claims}[4]`],
  ],
  [
    'a request of a claim is a label',
    claiming({ name: 'a', request: 'q/r' }),
    [`Invalid ${claims}[0].request`],
  ],
  [
    'a claim of a pod has a name',
    { resourceClaims: [{ name: 'a', resourceClaimName: '' }] },
    ['Invalid spec.resourceClaims[0].resourceClaimName'],
  ],
  [
    'an image of a volume has a name',
    { volumes: [{ name: 'v', image: {} }] },
    ['Required spec.volumes[0].image.reference'],
  ],
  [
    'mounts below a read-only one are read-only',
    mounting({ readOnly: true, recursiveReadOnly: 'Enabled' }),
    [],
  ],
  [
    'mounts below a writable one are not',
    mounting({ recursiveReadOnly: 'IfPossible' }),
    [`Forbidden ${recursion}`],
  ],
  [
    'mounts that are added later are not',
    mounting({ readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }),
    [`Forbidden ${recursion}`],
  ],
  ['a variable of a file is in a volume that the pod has', reading('w'), [`NotFound ${volumeName}`]],
  ['a variable of a file is in a volume of the pod alone', reading('h'), [`Invalid ${volumeName}`]],
  [
    'a bundle and its signer have names of their form',
    projecting(
      { clusterTrustBundle: { name: 'B_', path: 'p' } },
      { clusterTrustBundle: { signerName: 's', path: 'q' } },
    ),
    [`Invalid ${source}[0].clusterTrustBundle.name`, `Invalid ${source}[1].clusterTrustBundle.signerName`],
  ],
  [
    'a certificate of a pod has a signer and annotations with domains',
    projecting(certificate({ signerName: 's', userAnnotations: { a: 'b' } })),
    [`Invalid ${source}[0].podCertificate.signerName`, `Invalid ${source}[0].podCertificate.userAnnotations`],
  ],
  [
    'two sources do not write the same file',
    projecting(certificate({}), { clusterTrustBundle: { name: 'b', path: 'k' } }),
    [`Invalid ${source.slice(0, -'.sources'.length)}`],
  ],
  [
    'a pod on Windows has no user namespace and no AppArmor profile',
    {
      os: { name: 'windows' },
      hostUsers: true,
      securityContext: { appArmorProfile: { type: 'Unconfined' }, supplementalGroupsPolicy: 'Merge' },
    },
    ['hostUsers', 'securityContext.appArmorProfile', 'securityContext.supplementalGroupsPolicy'].map(
      (field) => `Forbidden spec.${field}`,
    ),
  ],
];

describe('fields of pods that came with later releases', () => {
  for (const [title, spec, expected] of [...cases, ...ofContainers])
    it(`${title}, in a pod`, () => assert.deepEqual(causes(pod(spec)), expected));

  for (const [title, spec, expected] of [
    ['a signal of Linux ends a container of a pod on Linux', stopping('linux', 'SIGHUP'), []],
    ['only two signals end a container on Windows', stopping('windows', 'SIGHUP'), ['NotSupported']],
    ['a signal needs the system of the pod', { ...stopping('', 'SIGHUP'), os: undefined }, ['Forbidden']],
  ] as const)
    it(title, () => {
      const path = writePath(names, '1.37', { openGates: new Set(['ContainerStopSignals']) });
      const { errors } = path.create(pods, JSON.parse(JSON.stringify(pod(spec))) as Record<string, unknown>);
      assert.deepEqual(
        errors.map(({ type }) => type.replace('FieldValue', '')),
        expected,
      );
    });

  it('a container of a release before 1.33 sleeps for at least a second', () => {
    const object = pod({ containers: [sleeping(0)] });
    assert.deepEqual([causes(object, '1.32').length, causes(object, '1.33').length], [1, 0]);
  });

  it('only init containers have a policy for restarts before 1.35, which keeps them running', () => {
    const object = pod({
      containers: [container({ restartPolicy: 'Never' })],
      initContainers: [
        container({ name: 'd', restartPolicy: 'Always' }),
        container({ name: 'e', restartPolicy: 'Never' }),
      ],
    });
    assert.deepEqual(causes(object, '1.33'), [
      'NotSupported spec.initContainers[1].restartPolicy',
      'Forbidden spec.containers[0].restartPolicy',
    ]);
    const { object: kept } = created(object, '1.34');
    assert.deepEqual(
      ['containers.0', 'initContainers.0', 'initContainers.1'].map((at) =>
        getPath(kept, `spec.${at}.restartPolicy`),
      ),
      [undefined, 'Always', undefined],
    );
  });

  for (const release of ['1.34', '1.37'] as const)
    it(`a pod of ${release} requests what its containers request, else its limits`, () => {
      const resources = { limits: { cpu: '2', memory: '1Gi' } };
      const limited = container({ resources: { limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } } });
      const { object } = created(pod({ resources, containers: [limited] }), release);
      assert.deepEqual(getPath(object, 'spec.resources'), {
        limits: { cpu: '2', 'hugepages-2Mi': '4Mi', memory: '1Gi' },
        requests: { cpu: '1', 'hugepages-2Mi': '4Mi', memory: '1Gi' },
      });
    });

  const required = (...matchExpressions: readonly object[]): object => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    },
  });
  const condition = (key: string): object => ({ key, operator: 'Exists' });
  for (const [title, spec, expected] of [
    ['more labels', { nodeSelector: { a: 'b', c: 'd' }, affinity: required(condition('k')) }, []],
    ['more conditions', { affinity: required(condition('k'), condition('l')) }, []],
    ['no gates', { schedulingGates: undefined }, []],
    ['other labels', { nodeSelector: { c: 'd' } }, ['Invalid spec.nodeSelector']],
    [
      'other conditions',
      { affinity: required(condition('l')) },
      [
        'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]',
      ],
    ],
    ['another gate', { schedulingGates: [{ name: 'b' }] }, ['Forbidden spec.schedulingGates[0].name']],
    ['another host name', { hostname: 'h' }, ['Forbidden spec']],
  ] as const)
    it(`a pod with gates that gets ${title} is ${expected.length === 0 ? 'changed' : 'kept'}`, () => {
      const before = {
        schedulingGates: [{ name: 'a' }],
        nodeSelector: { a: 'b' },
        affinity: required(condition('k')),
      };
      const { object } = created(pod(before));
      const next = { ...object, spec: { ...(object['spec'] as object), ...spec } };
      const { errors } = writePath(names, '1.37').update(pods, object, JSON.parse(JSON.stringify(next)));
      assert.deepEqual(
        errors.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`),
        expected,
      );
    });

  it('a pod of 1.37 that requests CPU has the limits of its containers, and at least its request', () => {
    const limited = container({ resources: { limits: { cpu: '1', memory: '1Gi' } } });
    const { object } = created(
      pod({
        resources: { requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '3Gi' } },
        containers: [limited],
      }),
    );
    assert.deepEqual(getPath(object, 'spec.resources.limits'), { cpu: '2', memory: '3Gi' });
  });

  it('templates follow the rules of pods', () => {
    const spec = {
      containers: [container()],
      resources: { requests: { 'example.com/x': '1' } },
      hostnameOverride: 'A',
    };
    const { errors } = writePath(names, '1.37').create(podTemplates, { metadata, template: { spec } });
    assert.deepEqual(
      errors.map(({ field }) => field),
      [
        'template.spec.hostnameOverride',
        'template.spec.resources.requests[example.com/x]',
        'template.spec.resources.limits',
      ],
    );
  });

  it('values of required nodes are those of labels from 1.33 on, and stored ones are kept', () => {
    const object = pod({ affinity: { nodeAffinity: nodes } });
    assert.deepEqual([causes(object, '1.32').length, causes(object, '1.33').length], [0, 1]);
    const stored = created(object, '1.32').object;
    assert.deepEqual(writePath(names, '1.33').update(pods, stored, { ...stored }).errors, []);
  });

  it('a new pod selects by the values of its labels', () => {
    const fields = {
      matchLabelKeys: ['l', 'other'],
      labelSelector: { matchExpressions: [{ key: 'z', operator: 'Exists' }] },
    };
    const { object } = created(
      pod({ ...spread(fields), ...near({ ...selected, mismatchLabelKeys: ['l'] }) }),
    );
    assert.deepEqual(
      [
        getPath(object, 'spec.topologySpreadConstraints.0.labelSelector.matchExpressions.1'),
        getPath(object, `${term.replace('[0]', '.0')}.labelSelector.matchExpressions.0`),
      ],
      [
        { key: 'l', operator: 'In', values: ['m'] },
        { key: 'l', operator: 'NotIn', values: ['m'] },
      ],
    );
    assert.deepEqual(writePath(names, '1.37').update(pods, object, { ...object }).errors, []);
  });

  it('a constraint of a release before 1.34 keeps its selector', () => {
    const { object } = created(pod(spread({ matchLabelKeys: ['l'], ...selected })), '1.33');
    assert.deepEqual(
      getPath(object, 'spec.topologySpreadConstraints.0.labelSelector'),
      selected.labelSelector,
    );
  });

  it('a new pod with gates says that it is not scheduled', () => {
    const { object } = created(pod({ schedulingGates: [{ name: 'a' }] }));
    assert.deepEqual(
      [getPath(object, 'status.conditions.0.type'), getPath(object, 'status.conditions.0.reason')],
      ['PodScheduled', 'SchedulingGated'],
    );
  });

  it('an annotation that names an AppArmor profile sets the field of its container', () => {
    const { object } = created(pod({}, { [armor]: 'localhost/q' }));
    assert.deepEqual(getPath(object, 'spec.containers.0.securityContext.appArmorProfile'), {
      type: 'Localhost',
      localhostProfile: 'q',
    });
  });

  for (const [title, annotations, spec, expected] of [
    [
      'an AppArmor profile of an unknown form',
      { [armor]: 'x' },
      {},
      [`Invalid metadata.annotations[${armor}]`],
    ],
    [
      'an AppArmor profile of a container that is not there',
      { [`${armor}c`]: 'unconfined' },
      {},
      [`Invalid metadata.annotations[${armor}c]`],
    ],
    [
      'another AppArmor profile than the field',
      { [armor]: 'unconfined' },
      { containers: [container({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } })] },
      ['Forbidden spec.containers[0].securityContext.appArmorProfile.type'],
    ],
    [
      'a seccomp profile of an unknown form',
      { [names.annotations.seccompPod]: 'x' },
      {},
      [`Invalid metadata.annotations.${names.annotations.seccompPod}`],
    ],
    [
      'another seccomp profile than the field',
      { [names.annotations.seccompPod]: 'localhost/a' },
      { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'b' } } },
      ['Forbidden spec.securityContext.seccompProfile.localhostProfile'],
    ],
    [
      'the default seccomp profile under its older name',
      { [names.annotations.seccompPod]: 'docker/default' },
      { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      [],
    ],
  ] as const)
    it(`an annotation with ${title} is ${expected.length === 0 ? 'valid' : 'refused'}`, () =>
      assert.deepEqual(causes(pod(spec, annotations)), expected));
});
