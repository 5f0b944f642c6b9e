import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statefulSets } from '../apps/stateful-set/index.ts';
import { cronJobs } from '../batch/cron-job/index.ts';
import type { Release } from '../release.ts';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { limitRanges } from './limit-range/index.ts';
import { nodes } from './node/index.ts';
import { persistentVolumes } from './persistent-volume/index.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/index.ts';
import { podTemplates } from './pod-template.ts';
import { resourceQuotas } from './resource-quota/index.ts';
import { services } from './service/index.ts';

const metadata = { name: 'a' };
const container = { name: 'c', image: 'nginx' };

const errorsOf = (release: Release, type: ResourceType, object: object): readonly string[] =>
  writePath(undefined, release)
    .create(type, { kind: type.kind, metadata, ...object })
    .errors.map(({ type: reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`);

/** Errors of a template with these fields of its pods, without `template.spec`. */
const ofPods = (release: Release, spec: object): readonly string[] =>
  errorsOf(release, podTemplates, { template: { spec: { containers: [container], ...spec } } }).map((error) =>
    error.replace('template.spec.', ''),
  );

describe('rules of pods name the field that the reference names', () => {
  for (const [title, release, spec, errors] of [
    [
      'a mode of a mount that does not exist is an error of the list',
      '1.37',
      {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: '' }] }],
      },
      ['NotSupported containers[0].volumeMounts.mountPropagation'],
    ],
    [
      'a second container without a name has the name of the first',
      '1.37',
      { containers: [{ image: 'a' }, { image: 'b' }] },
      ['Required containers[0].name', 'Required containers[1].name', 'Duplicate containers[1].name'],
    ],
    [
      'a second init container without a name only lacks it',
      '1.37',
      { initContainers: [{ image: 'a' }, { image: 'b' }] },
      ['Required initContainers[0].name', 'Required initContainers[1].name'],
    ],
    [
      'a policy for the resize of a resource that has one is an error of the item',
      '1.37',
      {
        containers: [
          {
            ...container,
            resizePolicy: ['', ''].map(() => ({ resourceName: 'cpu', restartPolicy: 'NotRequired' })),
          },
        ],
      },
      ['Duplicate containers[0].resizePolicy[1]'],
    ],
    [
      'a volume repeats the name of a valid volume only',
      '1.37',
      {
        volumes: [
          { name: 'v', secret: {} },
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
      },
      ['Required volumes[0].secret.secretName', 'Duplicate volumes[2].name'],
    ],
    [
      'a claim that repeats an invalid name is a duplicate only',
      '1.37',
      { resourceClaims: ['', ''].map(() => ({ name: '-a', resourceClaimName: 'c' })) },
      ['Invalid resourceClaims[0].name', 'Duplicate resourceClaims[1].name'],
    ],
    [
      'each of two sources of a variable is checked',
      '1.37',
      {
        containers: [
          {
            ...container,
            env: [
              {
                name: 'A',
                valueFrom: { fieldRef: { fieldPath: 'x' }, configMapKeyRef: { name: 'c', key: 'k' } },
              },
            ],
          },
        ],
      },
      ['Invalid containers[0].env[0].valueFrom.fieldRef.fieldPath', 'Invalid containers[0].env[0].valueFrom'],
    ],
    [
      'a search domain has underscores from 1.33 on, and may be the root',
      '1.33',
      { dnsConfig: { searches: ['_a.b_c', '.', 'a_'] } },
      ['Invalid dnsConfig.searches[2]'],
    ],
    [
      'a search domain has no underscores before 1.33',
      '1.32',
      { dnsConfig: { searches: ['_a.b_c', 'a.b.'] } },
      ['Invalid dnsConfig.searches[0]'],
    ],
    [
      'a parameter of the kernel repeats the name of an earlier one, and has slashes from 1.25 on',
      '1.25',
      { securityContext: { sysctls: ['a/b', 'a/b', '/a', '/a', ''].map((name) => ({ name, value: '1' })) } },
      [
        'Required securityContext.sysctls[4].name',
        'Duplicate securityContext.sysctls[1].name',
        'Invalid securityContext.sysctls[2].name',
        'Invalid securityContext.sysctls[3].name',
      ],
    ],
    [
      'a parameter of the kernel has no slashes before 1.25',
      '1.24',
      { securityContext: { sysctls: [{ name: 'a/b', value: '1' }] } },
      ['Invalid securityContext.sysctls[0].name'],
    ],
    [
      'only the first of two actions of a probe is checked',
      '1.37',
      {
        containers: [
          { ...container, readinessProbe: { tcpSocket: { port: 'A' }, exec: { command: ['a'] } } },
          { ...container, name: 'd', lifecycle: { preStop: { httpGet: { port: 'A' }, exec: {} } } },
        ],
      },
      [
        'Forbidden containers[0].readinessProbe.tcpSocket',
        'Required containers[1].lifecycle.preStop.exec.command',
        'Forbidden containers[1].lifecycle.preStop.httpGet',
      ],
    ],
    [
      'settings of the resolver without a name server have one error under the policy None',
      '1.37',
      { dnsPolicy: 'None', dnsConfig: { options: [{}] } },
      ['Required dnsConfig.nameservers'],
    ],
    [
      'the probe of an init container has one error',
      '1.37',
      {
        initContainers: [
          { ...container, name: 'i', readinessProbe: { exec: {}, terminationGracePeriodSeconds: 1 } },
        ],
      },
      ['Forbidden initContainers[0].readinessProbe'],
    ],
    [
      'a selector of nodes without a key has one error',
      '1.37',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ operator: 'Exists' }] }],
            },
          },
        },
      },
      [
        'Invalid affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key',
      ],
    ],
    [
      'a device is no mount, and its name is that of a volume',
      '1.37',
      {
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
        containers: [
          {
            ...container,
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            volumeDevices: [{ name: 'v', devicePath: '/v' }, { devicePath: '/d' }],
          },
        ],
      },
      [
        'Required containers[0].volumeDevices[1].name',
        'Invalid containers[0].volumeMounts[0].name',
        'Invalid containers[0].volumeMounts[0].mountPath',
        'Invalid containers[0].volumeDevices[0].name',
        'Invalid containers[0].volumeDevices[0].devicePath',
        'NotFound containers[0].volumeDevices[1].name',
      ],
    ],
    [
      'a pod has 32 search domains from 1.26 on',
      '1.26',
      { dnsConfig: { searches: Array.from({ length: 32 }, () => 'a'.repeat(63)) } },
      [],
    ],
    [
      'a pod has no more than 32 search domains',
      '1.26',
      { dnsConfig: { searches: Array.from({ length: 33 }, () => 'a') } },
      ['Invalid dnsConfig.searches'],
    ],
    [
      'a pod has up to six search domains before 1.26',
      '1.25',
      { dnsConfig: { searches: Array.from({ length: 7 }, () => 'a') } },
      ['Invalid dnsConfig.searches'],
    ],
    [
      'an empty word is not an absent one',
      '1.37',
      { preemptionPolicy: '', runtimeClassName: '', securityContext: { fsGroupChangePolicy: '' } },
      [
        'NotSupported securityContext.fsGroupChangePolicy',
        'Invalid runtimeClassName',
        'Required preemptionPolicy',
      ],
    ],
  ] as const)
    it(title, () => assert.deepEqual(ofPods(release, spec), errors));

  it('an ephemeral container has errors for the fields that it may not have, and none for their values', () => {
    const debug = { ...container, name: 'd', restartPolicy: 'x', readinessProbe: { timeoutSeconds: -1 } };
    assert.deepEqual(ofPods('1.37', { ephemeralContainers: [debug] }), [
      'Forbidden ephemeralContainers[0].restartPolicy',
      'Forbidden ephemeralContainers[0].readinessProbe',
      'Forbidden ephemeralContainers',
    ]);
  });
});

describe('rules of other kinds name the field that the reference names', () => {
  const labels = { a: 'b' };
  const set = {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], hostname: 'A', subdomain: 'A' } },
      volumeClaimTemplates: [
        {
          metadata: { name: 'v', labels: { 'a/b/c': '' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, volumeMode: '' },
        },
      ],
    },
  };
  const jobWith = (spec: object) => ({
    spec: {
      schedule: '@daily',
      jobTemplate: {
        spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } }, ...spec },
      },
    },
  });
  const volume = (source: object) => ({
    spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], ...source },
  });
  for (const [title, release, type, object, errors] of [
    [
      'the names of pods of a set, and the labels of its claims, are not read',
      '1.37',
      statefulSets,
      set,
      ['NotSupported spec.volumeClaimTemplates[0].spec.volumeMode'],
    ],
    [
      'the selector of a job in a template is forbidden, and not read',
      '1.37',
      cronJobs,
      jobWith({ selector: { matchExpressions: [{ key: 'a/b/c', operator: 'x' }] } }),
      ['Invalid spec.jobTemplate.spec.selector'],
    ],
    [
      'the rules for the success of a job without indexes are not read',
      '1.37',
      cronJobs,
      jobWith({ successPolicy: { rules: [] } }),
      ['Invalid spec.jobTemplate.spec.successPolicy'],
    ],
    [
      'a type of bounds may be missing once',
      '1.37',
      limitRanges,
      { spec: { limits: [{}, {}] } },
      ['Invalid spec.limits[0].type', 'Invalid spec.limits[1].type', 'Duplicate spec.limits[1].type'],
    ],
    [
      'a range of a node that repeats another one is named before 1.33',
      '1.32',
      nodes,
      { spec: { podCIDRs: ['fd00::/64', 'fd00::/64'] } },
      ['Invalid spec.podCIDRs', 'Duplicate spec.podCIDRs[1]'],
    ],
    [
      'the initiator of a target is named in lower case',
      '1.37',
      persistentVolumes,
      volume({ iscsi: { targetPortal: 'a', iqn: 'eui.0123456789abcdef', lun: 0, initiatorName: '' } }),
      ['Invalid spec.iscsi.initiatorname'],
    ],
    [
      'a volume of StorageOS has a name',
      '1.37',
      persistentVolumes,
      volume({ storageos: { volumeNamespace: 'A' } }),
      ['Required spec.storageos.volumeName', 'Invalid spec.storageos.volumeNamespace'],
    ],
    [
      'the secret of a volume has a name and a namespace',
      '1.37',
      persistentVolumes,
      volume({ cinder: { volumeID: 'v', secretRef: {} } }),
      ['Required spec.cinder.secretRef.name', 'Required spec.cinder.secretRef.namespace'],
    ],
    [
      'the secret of a driver has a name that secrets have',
      '1.25',
      persistentVolumes,
      volume({
        csi: { driver: 'd', volumeHandle: 'h', nodePublishSecretRef: { name: 'A', namespace: 'a.b' } },
      }),
      ['Invalid spec.csi.nodePublishSecretRef.name', 'Invalid spec.csi.nodePublishSecretRef.namespace'],
    ],
    [
      'an external address of a service is not empty',
      '1.24',
      services,
      { spec: { ports: [{ port: 80 }], externalIPs: [''] } },
      ['Invalid spec.externalIPs[0]'],
    ],
    [
      'an attributes class of a volume has a name',
      '1.37',
      persistentVolumes,
      volume({ csi: { driver: 'd', volumeHandle: 'h' }, volumeAttributesClassName: '' }),
      ['Required spec.volumeAttributesClassName'],
    ],
    [
      'the source of a claim has a kind',
      '1.37',
      persistentVolumeClaims,
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: { name: 'a' },
        },
      },
      [
        'Required spec.dataSource.kind',
        'Required spec.dataSourceRef.kind',
        'Invalid spec.dataSource',
        'Invalid spec.dataSourceRef',
      ],
    ],
    [
      'a claim has no empty mode',
      '1.24',
      persistentVolumeClaims,
      {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, volumeMode: '' },
      },
      ['NotSupported spec.volumeMode'],
    ],
  ] as const)
    it(title, () => assert.deepEqual(errorsOf(release, type, object), errors));

  it('a quota counts claims by their attributes class from 1.33 on, and nothing else with it', () => {
    const matchExpressions = [{ scopeName: 'VolumeAttributesClass', operator: 'DoesNotExist' }];
    const quota = (hard: object) => ({ spec: { hard, scopeSelector: { matchExpressions } } });
    const ofClaims = quota({ persistentvolumeclaims: '1', 'requests.storage': '1' });
    assert.deepEqual(errorsOf('1.33', resourceQuotas, ofClaims), []);
    assert.deepEqual(errorsOf('1.32', resourceQuotas, ofClaims), [
      'Invalid spec.scopeSelector.matchExpressions.scopeName',
    ]);
    assert.deepEqual(errorsOf('1.33', resourceQuotas, quota({ pods: '1' })), [
      'Invalid spec.scopeSelector.matchExpressions',
    ]);
  });

  it('traffic to the external addresses of a service has a policy from 1.29 on', () => {
    const spec = { ports: [{ port: 80 }], externalIPs: ['192.0.2.7'] };
    const local = { spec: { ...spec, externalTrafficPolicy: 'Local' } };
    const created = (release: Release) => writePath(undefined, release).create(services, { metadata, spec });
    const policyOf = (object: object): unknown =>
      (object as { spec: { externalTrafficPolicy?: string } }).spec.externalTrafficPolicy;
    assert.deepEqual(errorsOf('1.29', services, local), []);
    assert.deepEqual(errorsOf('1.28', services, local), ['Invalid spec.externalTrafficPolicy']);
    assert.deepEqual(
      ['1.28', '1.29'].map((release) => policyOf(created(release).object)),
      [undefined, 'Cluster'],
    );
    const { object } = created('1.29');
    const closed = { ...object, spec: { ...spec, externalIPs: [], externalTrafficPolicy: 'Cluster' } };
    assert.equal(policyOf(writePath(undefined, '1.29').update(services, object, closed).object), undefined);
  });
});
