import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { getPath } from '../../../testing/set-path.ts';
import { type WritePath, writePath } from '../../../testing/write-path.ts';
import { services } from '../../service/index.ts';
import { pods } from '../index.ts';

const path = writePath(namesFor('orch'), '1.37', {
  openGates: new Set([
    'AtomicWriteVolumeUserFields',
    'ContainerStopSignals',
    'EmptyDirVolumeMode',
    'EvictionRequestAPI',
    'GRPCContainerProbeTLS',
    'H2CContainerProbe',
    'VolumeBindMountOptions',
  ]),
});
const container = { name: 'c', image: 'i' };
const pod = (spec: object): object => ({
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'default', containers: [container], ...spec },
});
const initially = (fields: object): object =>
  pod({ initContainers: [{ ...container, name: 'i', ...fields }] });
const probe = { exec: { command: ['true'] } };
const probing = (livenessProbe: object): object => pod({ containers: [{ ...container, livenessProbe }] });
const projected = (source: object): object =>
  pod({ volumes: [{ name: 'v', projected: { sources: [source] } }] });
const causes = (object: object): readonly string[] =>
  path.create(pods, object).errors.map(({ type, field }) => `${type} ${field}`);

describe('fields of pods of later releases', () => {
  for (const [title, object, expected] of [
    [
      'an init container that is always restarted has probes',
      initially({
        restartPolicy: 'Always',
        livenessProbe: probe,
        lifecycle: { preStop: { sleep: { seconds: 1 } } },
      }),
      [],
    ],
    [
      'another init container has no probes',
      initially({ restartPolicy: 'Never', livenessProbe: probe }),
      ['FieldValueForbidden spec.initContainers[0].livenessProbe'],
    ],
    [
      'a container has a known restart policy',
      initially({ restartPolicy: 'Sometimes' }),
      ['FieldValueNotSupported spec.initContainers[0].restartPolicy'],
    ],
    [
      'rules for restarts stand beside a restart policy',
      pod({
        containers: [
          {
            ...container,
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          },
        ],
      }),
      ['FieldValueRequired spec.containers[0].restartPolicy'],
    ],
    [
      'a profile of AppArmor is named',
      pod({ securityContext: { appArmorProfile: { type: 'Localhost' } } }),
      ['FieldValueRequired spec.securityContext.appArmorProfile.localhostProfile'],
    ],
    [
      'a profile of AppArmor is named only where its type needs it',
      pod({ securityContext: { appArmorProfile: { type: 'Unconfined', localhostProfile: 'p' } } }),
      ['FieldValueInvalid spec.securityContext.appArmorProfile.localhostProfile'],
    ],
    ['a probe speaks HTTP/2 with the pod itself', probing({ httpGet: { port: 80, protocol: 'HTTP2' } }), []],
    [
      'a probe does not speak HTTP/2 over TLS',
      probing({ httpGet: { port: 80, protocol: 'HTTP2', scheme: 'HTTPS' } }),
      ['FieldValueInvalid spec.containers[0].livenessProbe.httpGet.protocol'],
    ],
    [
      'a probe does not speak HTTP/2 with another host',
      probing({ httpGet: { port: 80, protocol: 'HTTP2', host: 'other' } }),
      ['FieldValueInvalid spec.containers[0].livenessProbe.httpGet.host'],
    ],
    [
      'a gRPC probe has a known mode',
      probing({ grpc: { port: 80, mode: 'Secret' } }),
      ['FieldValueNotSupported spec.containers[0].livenessProbe.grpc.mode'],
    ],
    [
      'the permissions of a directory are bits',
      pod({ volumes: [{ name: 'v', emptyDir: { mode: 0o2000 } }] }),
      ['FieldValueInvalid spec.volumes[0].emptyDir.mode'],
    ],
    [
      'files have a valid owner',
      pod({ volumes: [{ name: 'v', configMap: { name: 'c', defaultUser: -1 } }] }),
      ['FieldValueInvalid spec.volumes[0].configMap.defaultUser'],
    ],
    [
      'an option of a mount is known, and there once',
      pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          {
            ...container,
            volumeMounts: [{ name: 'v', mountPath: '/v', bindMountOptions: ['nodev', 'nodev', 'ro'] }],
          },
        ],
      }),
      [
        'FieldValueNotSupported spec.containers[0].volumeMounts[0].bindMountOptions[2]',
        'FieldValueDuplicate spec.containers[0].volumeMounts[0].bindMountOptions[1]',
      ],
    ],
    [
      'a responder to evictions has a name with a domain, and a priority',
      pod({ evictionResponders: [{ name: 'example.com/a', priority: 0 }, { name: 'b' }] }),
      [
        'FieldValueRequired spec.evictionResponders[1].priority',
        'FieldValueInvalid spec.evictionResponders[1].name',
      ],
    ],
    ['an image is a volume', pod({ volumes: [{ name: 'v', image: { reference: 'i:1' } }] }), []],
    [
      'a volume has one source',
      pod({ volumes: [{ name: 'v', image: { reference: 'i' }, emptyDir: {} }] }),
      ['FieldValueForbidden spec.volumes[0].image'],
    ],
    [
      'a bundle is named or selected by its signer',
      projected({ clusterTrustBundle: { name: 'b', signerName: 'example.com/s', path: 'p' } }),
      ['FieldValueInvalid spec.volumes[0].projected.sources[0].clusterTrustBundle'],
    ],
    [
      'a certificate of a pod is written to a file',
      projected({ podCertificate: { signerName: 'example.com/s', keyType: 'ED25519' } }),
      ['FieldValueRequired spec.volumes[0].projected.sources[0].podCertificate'],
    ],
    [
      'a claim has one source',
      pod({ resourceClaims: [{ name: 'a' }] }),
      ['FieldValueInvalid spec.resourceClaims[0]'],
    ],
    ['a claim is named directly', pod({ resourceClaims: [{ name: 'a', resourceClaimName: 'c' }] }), []],
  ] as const)
    it(title, () => assert.deepEqual(causes(object), expected));

  it('an image volume is fetched by the rule for images of containers', () => {
    const policies = ['i', 'i:1'].map((reference) => {
      const { object } = path.create(pods, pod({ volumes: [{ name: 'v', image: { reference } }] }));
      return getPath(object, 'spec.volumes.0.image.pullPolicy');
    });
    assert.deepEqual(policies, ['Always', 'IfNotPresent']);
  });

  it('a service prefers endpoints in known ways', () => {
    const errors = (trafficDistribution: string): number =>
      path.create(services, {
        metadata: { name: 's' },
        spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.1', trafficDistribution },
      }).errors.length;
    assert.deepEqual(['PreferSameNode', 'PreferFar'].map(errors), [0, 1]);
  });

  it('a request of a probe has a protocol where the gate of protocols is open', () => {
    const written = (open: WritePath): string =>
      JSON.stringify(open.create(pods, probing({ httpGet: { port: 80 } })).object);
    assert.match(written(path), /"protocol":"HTTP1"/);
    assert.doesNotMatch(written(writePath(undefined, '1.37')), /"HTTP1"/);
  });
});
