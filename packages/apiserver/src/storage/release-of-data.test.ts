import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, type Release, runtimeConfig } from '@orch/apis';
import { type LogFields, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { StartError } from '@orch/program';
import { ModelStore } from '@orch/storage';
import { checkReleaseOfData } from './release-of-data.ts';

const { signal } = new AbortController();
const names = namesFor('kubernetes');
const storePrefix = '/registry/';

interface Stored {
  /** Below the prefix of the store. */
  readonly key: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const bytesOf = ({ key, metadata, ...object }: Stored): Buffer =>
  Buffer.from(JSON.stringify({ ...object, metadata: { name: key.split('/').at(-1), ...metadata } }));

/** Checks a store with these objects as a server of a release does; returns its warnings. */
async function check(
  release: Release,
  objects: readonly (Stored | { readonly key: string; readonly bytes: string })[],
  runtime: readonly string[] = [],
): Promise<readonly LogFields[]> {
  const store = new ModelStore(testEnv());
  for (const stored of objects) {
    const value = 'bytes' in stored ? Buffer.from(stored.bytes) : bytesOf(stored);
    await store.commit({ op: 'create', key: `${storePrefix}${stored.key}`, value }, signal);
  }
  const warnings: LogFields[] = [];
  const log = { warn: (_message: string, fields: LogFields = {}) => void warnings.push(fields) };
  const isEnabled = runtimeConfig(runtime, builtinTypes, names);
  await checkReleaseOfData({ settings: { names, release, isEnabled, storePrefix }, store, log }, signal);
  return warnings;
}

const policies = 'validatingadmissionpolicies.admissionregistration';
const policy: Stored = {
  key: `${policies}/no-latest`,
  apiVersion: names.apiVersion('admissionregistration', 'v1'),
  kind: 'ValidatingAdmissionPolicy',
};
const claim: Stored = {
  key: 'resourceclaims.resource/default/gpu',
  apiVersion: names.apiVersion('resource', 'v1'),
  kind: 'ResourceClaim',
};
const address: Stored = {
  key: 'ipaddresses.networking/10.0.0.9',
  apiVersion: names.apiVersion('networking', 'v1'),
  kind: 'IPAddress',
};
const range: Stored = {
  key: 'servicecidrs.networking/kubernetes',
  apiVersion: names.apiVersion('networking', 'v1'),
  kind: 'ServiceCIDR',
};
const slice: Stored = {
  key: 'endpointslices.discovery/default/web',
  apiVersion: names.apiVersion('discovery', 'v1'),
  kind: 'EndpointSlice',
  metadata: { namespace: 'default' },
};
const schema: Stored = {
  key: 'flowschemas.flowcontrol/probes',
  apiVersion: names.apiVersion('flowcontrol', 'v1'),
  kind: 'FlowSchema',
};

const group: Stored = {
  key: 'podgroups.scheduling/default/trainers',
  apiVersion: names.apiVersion('scheduling', 'v1alpha2'),
  kind: 'PodGroup',
  metadata: { namespace: 'default' },
};
const candidate: Stored = {
  key: 'leasecandidates.coordination/default/scheduler-1',
  apiVersion: names.apiVersion('coordination', 'v1beta1'),
  kind: 'LeaseCandidate',
  metadata: { namespace: 'default' },
};

const labelled = (stored: Stored, label: string, value: string): Stored => ({
  ...stored,
  metadata: { ...stored.metadata, labels: { [label]: value } },
});

const refuses =
  (...parts: readonly string[]) =>
  (error: unknown): boolean =>
    error instanceof StartError &&
    !error.message.includes('\n') &&
    parts.every((part) => error.message.includes(part));

describe('the start over the objects of a later release', () => {
  const refused: readonly [
    title: string,
    release: Release,
    objects: readonly Stored[],
    parts: readonly string[],
  ][] = [
    [
      'a policy',
      '1.28',
      [policy],
      [
        'that --emulated-version=1.28 does not serve',
        'validatingadmissionpolicies.admissionregistration.k8s.io no-latest (served from 1.30 on, or with --runtime-config=admissionregistration.k8s.io/v1=true)',
        'start with --emulated-version=1.30 or a later release',
      ],
    ],
    [
      'a claim and a policy',
      '1.27',
      [policy, claim],
      [
        'resourceclaims.resource.k8s.io default/gpu (served from 1.34 on)',
        'no-latest',
        'start with --emulated-version=1.34',
      ],
    ],
    [
      'a group of pods, which no release serves by default,',
      '1.34',
      [group],
      [
        'podgroups.scheduling.k8s.io default/trainers (served in 1.36 with --runtime-config=scheduling.k8s.io/',
      ],
    ],
    ['an address of a client', '1.32', [address], ['ipaddresses.networking.k8s.io 10.0.0.9']],
    ['a further range of addresses', '1.32', [{ ...range, key: 'servicecidrs.networking/more' }], [' more ']],
    ['an endpoint slice of a client', '1.16', [slice], ['endpointslices.discovery.k8s.io default/web']],
    ['a flow schema of a client', '1.19', [schema], ['flowschemas.flowcontrol.apiserver.k8s.io probes']],
  ];
  for (const [title, release, objects, parts] of refused)
    it(`a store with ${title} is refused by release ${release}, with the names`, () =>
      assert.rejects(check(release, objects), refuses(...parts)));

  it('a refusal names the first hundred objects of a kind and the number of the others', () =>
    assert.rejects(
      check(
        '1.24',
        Array.from({ length: 130 }, (_, index) => ({ ...policy, key: `${policies}/p${1000 + index}` })),
      ),
      refuses('p1000, p1001', 'p1099 and 30 more'),
    ));

  const served: readonly [
    title: string,
    release: Release,
    objects: Parameters<typeof check>[1],
    runtime?: readonly string[],
  ][] = [
    ['a policy that --runtime-config serves', '1.24', [policy], ['admissionregistration.k8s.io/v1=true']],
    ['a policy that the operator has disabled', '1.30', [policy], ['admissionregistration.k8s.io/v1=false']],
    [
      'the address of a service',
      '1.32',
      [labelled(address, names.labels.ipAddressManagedBy, names.controllers.ipAllocator)],
    ],
    ['the default range of addresses', '1.24', [range]],
    [
      'endpoint slices of the controller and of the default service',
      '1.16',
      [
        labelled(slice, names.labels.endpointSliceManagedBy, names.controllers.endpointSlice),
        labelled({ ...slice, key: `${slice.key}-2` }, names.labels.serviceName, names.defaultService),
      ],
    ],
    [
      'a default flow schema',
      '1.19',
      [{ ...schema, metadata: { annotations: { [names.annotations.apfAutoupdateSpec]: 'true' } } }],
    ],
    [
      'a claim of its own release',
      '1.28',
      [{ ...claim, apiVersion: names.apiVersion('resource', 'v1alpha2') }],
    ],
    ['a candidate of an election', '1.28', [candidate]],
    ['damaged bytes', '1.24', [{ key: policy.key, bytes: 'no object' }]],
    ['kinds that it serves', '1.34', [policy, claim, address, slice, schema]],
  ];
  for (const [title, release, objects, runtime] of served)
    it(`a store with ${title} is accepted by release ${release}`, async () => {
      assert.deepEqual(await check(release, objects, runtime), []);
    });
});

describe('the start over the objects of an earlier release', () => {
  it('objects of a kind that the release no longer serves are reported with their names', async () => {
    const old = {
      key: 'podsecuritypolicies.policy/restricted',
      apiVersion: names.apiVersion('policy', 'v1beta1'),
      kind: 'PodSecurityPolicy',
    };
    assert.deepEqual(await check('1.25', [old]), [
      { resource: 'podsecuritypolicies.policy', objects: 1, names: ['restricted'] },
    ]);
    assert.deepEqual(await check('1.24', [old]), []);
  });

  it('objects of a kind that only earlier releases had, and not by default, are reported', async () => {
    const old = {
      key: 'clustercidrs.networking/hall-b',
      apiVersion: names.apiVersion('networking', 'v1alpha1'),
      kind: 'ClusterCIDR',
    };
    assert.deepEqual(await check('1.30', [old]), [
      { resource: 'clustercidrs.networking.k8s.io', objects: 1, names: ['hall-b'] },
    ]);
    assert.deepEqual(await check('1.28', [old]), []);
  });
});
