import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import type { PodSecurityPolicySpecV1beta1 } from '@orch/kinds/policy';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { permissivePolicy } from '../testing/pod-security-policies.ts';
import type { AdmissionAttributes } from '../types.ts';
import { podSecurityPolicy } from './pod-security-policy.ts';

const names = namesFor('orch');
const ANNOTATION = names.annotations.podSecurityPolicy;
const SA = 'system:serviceaccount:ns:builder';

const pod = (spec: object = {}, metadata: object = {}): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns', ...metadata },
  spec: { containers: [{ name: 'c', image: 'a' }], ...spec },
});
const privileged = pod({ containers: [{ name: 'c', image: 'a', securityContext: { privileged: true } }] });
const REFUSED =
  'spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed';
const strict: PodSecurityPolicySpecV1beta1 = { privileged: false };
const readOnly: PodSecurityPolicySpecV1beta1 = { readOnlyRootFilesystem: true };

/** `user policy`, with the group where it is another than `policy`, and the namespace where it is only one. */
type Permission = string;

/** The plugin with policies in memory, and permissions to use them. */
function fixture(
  policies: Readonly<Record<string, PodSecurityPolicySpecV1beta1>>,
  permissions: readonly Permission[] = Object.keys(policies).map((name) => `alice ${name}`),
) {
  const source = new MemoryObjectSource();
  const put = (name: string, spec: PodSecurityPolicySpecV1beta1): void =>
    source.put('podsecuritypolicies.policy', { ...permissivePolicy(name, spec) } as ApiObject);
  for (const [name, spec] of Object.entries(policies)) put(name, spec);
  const asked: string[] = [];
  const authorize = (attributes: Attributes) => {
    assert.ok(attributes.isResource);
    const { user, verb, group, resource, namespace, name } = attributes;
    assert.deepEqual([verb, resource, namespace], ['use', 'podsecuritypolicies', 'ns']);
    const permission = `${user.name} ${group === 'policy' ? '' : `${group}/`}${name}`;
    asked.push(permission);
    return { verdict: permissions.includes(permission) ? 'allow' : 'noOpinion', reason: '' } as const;
  };
  const plugin = podSecurityPolicy({ source, names, release: '1.24', authorizer: { authorize } });
  const annotated: Record<string, string> = {};
  const report = {
    warn: () => undefined,
    annotate: (key: string, value: string) => {
      annotated[key] = value;
    },
    exclude: () => {},
    step: () => {},
  };
  return {
    source,
    put,
    asked,
    annotated,
    plugin,
    admit: (write: Partial<AdmissionAttributes>) => mutated(plugin, testWrite({ report, ...write })),
    validate: async (write: Partial<AdmissionAttributes>) =>
      validated(plugin, testWrite({ report, ...write })),
  };
}

const chosen = (object: ApiObject | undefined): string | undefined =>
  object?.metadata.annotations?.[ANNOTATION];

describe('admission plugin PodSecurityPolicy, choice of a policy', () => {
  for (const [title, policies, expected] of [
    ['the first by name, of those that admit the pod as it is', { b: {}, a: {}, c: {} }, 'a'],
    ['one that admits the pod as it is, before one that changes it', { a: readOnly, b: {} }, 'b'],
    ['the first by name, of those that change it', { c: readOnly, b: readOnly }, 'b'],
    ['one that admits the pod, after one that refuses it', { a: { volumes: [] }, b: {} }, 'b'],
  ] as const)
    it(`a new pod gets ${title}`, async () => {
      const { admit, annotated } = fixture(policies);
      const { refusal, object } = await admit({ object: pod({ volumes: [{ name: 'v', emptyDir: {} }] }) });
      assert.deepEqual([refusal, chosen(object)], [undefined, expected]);
      assert.deepEqual(annotated, { [names.auditAnnotations.pspAdmit]: expected });
    });

  it('a new pod gets the defaults of its policy only', async () => {
    const { admit } = fixture({ a: { ...readOnly, ...strict }, b: { ...readOnly, hostNetwork: false } });
    const { object } = await admit({ object: pod({ hostNetwork: true }, { annotations: { x: 'y' } }) });
    assert.deepEqual(object, {
      metadata: { name: 'p', namespace: 'ns', annotations: { x: 'y', [ANNOTATION]: 'a' } },
      spec: {
        hostNetwork: true,
        containers: [{ name: 'c', image: 'a', securityContext: { readOnlyRootFilesystem: true } }],
      },
    });
  });

  it('a pod that no policy admits is refused with the errors of all policies that may be used', async () => {
    const { admit, validate } = fixture({ a: strict, b: { hostPID: false }, c: strict }, [
      'alice a',
      'alice b',
    ]);
    const object = pod({ ...(privileged['spec'] as object), hostPID: true });
    const errors = `[${REFUSED} spec.hostPID: Invalid value: true: Host PID is not allowed to be used]`;
    assert.equal((await admit({ object })).refusal, `PodSecurityPolicy: unable to admit pod: ${errors}`);
    assert.equal(await validate({ object }), `PodSecurityPolicy: unable to validate pod: ${errors}`);
  });

  it('a pod is refused while there are no policies, and admitted by one that is created', async () => {
    const { admit, validate, put } = fixture({}, ['alice a']);
    const message = 'PodSecurityPolicy: no providers available to validate pod request';
    assert.equal((await admit({ object: pod() })).refusal, message);
    assert.equal(await validate({ object: pod() }), message);
    put('a', {});
    assert.equal((await admit({ object: pod() })).refusal, undefined);
  });

  it('policies that are changed and deleted apply at once', async () => {
    const { admit, put, source } = fixture({ a: {} });
    assert.equal((await admit({ object: privileged })).refusal, undefined);
    put('a', strict);
    assert.match((await admit({ object: privileged })).refusal ?? '', /Privileged containers/);
    source.delete('podsecuritypolicies.policy', 'a');
    assert.match((await admit({ object: pod() })).refusal ?? '', /no providers/);
  });

  it('a policy that another replica has just created is found', async () => {
    const { plugin, source, put } = fixture({ a: strict }, ['alice a', 'alice b']);
    source.fresh = async () => put('b', {});
    assert.equal(await validated(plugin, testWrite({ object: privileged })), undefined);
  });
});

describe('admission plugin PodSecurityPolicy, permission to use a policy', () => {
  const asAccount = pod({ serviceAccountName: 'builder' });
  for (const [title, permissions, object, isAdmitted] of [
    ['the user who creates it', ['alice a'], pod(), true],
    ['the user who creates it, also when it runs as an account', ['alice a'], asAccount, true],
    ['its service account', [`${SA} a`], asAccount, true],
    ['its service account by the older group', [`${SA} extensions/a`], asAccount, true],
    ['the user by the older group', ['alice extensions/a'], pod(), true],
    ['another service account than its own', [`${SA} a`], pod({ serviceAccountName: 'x' }), false],
    ['a service account that it does not run as', [`${SA} a`], pod(), false],
    ['no user', [], asAccount, false],
  ] as const)
    it(`a pod is ${isAdmitted ? 'admitted' : 'refused'} when a policy may be used by ${title}`, async () => {
      const { admit, validate } = fixture({ a: {} }, permissions);
      const { refusal } = await admit({ object });
      const expected = (phase: string) =>
        isAdmitted ? undefined : `PodSecurityPolicy: unable to ${phase} pod: []`;
      assert.equal(refusal, expected('admit'));
      assert.equal(await validate({ object }), expected('validate'));
    });

  it('errors of policies that may not be used are not shown', async () => {
    const { validate } = fixture({ hidden: strict }, []);
    assert.equal(await validate({ object: privileged }), 'PodSecurityPolicy: unable to validate pod: []');
  });

  it('permission is asked for policies that admit the pod, until one is found', async () => {
    const { validate, asked } = fixture({ a: strict, b: {}, c: {} });
    await validate({ object: privileged });
    assert.deepEqual(asked, ['alice b']);
  });

  it('a failed authorizer refuses the pod', async () => {
    const { source } = fixture({ a: {} });
    const authorizer = { authorize: () => Promise.reject(new Error('the webhook is down')) };
    const plugin = podSecurityPolicy({ source, names, release: '1.24', authorizer });
    await assert.rejects(async () => validated(plugin, testWrite({ object: pod() })), /the webhook is down/);
  });
});

describe('admission plugin PodSecurityPolicy, validation of the stored pod', () => {
  it('the policy of the annotation is applied first, and the others by name', async () => {
    const { validate, annotated } = fixture({ a: {}, b: {}, c: {} });
    const { pspValidate } = names.auditAnnotations;
    await validate({ object: pod({}, { annotations: { [ANNOTATION]: 'b' } }) });
    assert.deepEqual(annotated, { [pspValidate]: 'b' });
    await validate({ object: pod({}, { annotations: { [ANNOTATION]: 'none' } }) });
    assert.deepEqual(annotated, { [pspValidate]: 'a' });
  });

  it('an annotation that names a policy does not permit its use', async () => {
    const { validate } = fixture({ a: strict, b: {} }, ['alice a']);
    const object = cloneJson(privileged);
    object.metadata.annotations = { [ANNOTATION]: 'b' };
    assert.match((await validate({ object })) ?? '', /Privileged containers are not allowed/);
  });

  it('the annotation of a new pod is that of its policy, whatever the client sent', async () => {
    const { admit } = fixture({ a: {} });
    const { object } = await admit({ object: pod({}, { annotations: { [ANNOTATION]: 'x' } }) });
    assert.equal(chosen(object), 'a');
  });

  it('a new pod that a later plugin made violating is refused', async () => {
    const { admit, validate } = fixture({ a: strict });
    const { object } = await admit({ object: pod() });
    const changed = { ...object, metadata: object?.metadata ?? {}, spec: privileged['spec'] };
    assert.match((await validate({ object: changed as ApiObject })) ?? '', /Privileged containers/);
  });
});

describe('admission plugin PodSecurityPolicy, updates', () => {
  const stored = pod({}, { annotations: { [ANNOTATION]: 'a' } });
  const changed = (spec: object, metadata: object = {}): ApiObject =>
    pod(spec, { annotations: { [ANNOTATION]: 'a' }, ...metadata });
  const update = (object: ApiObject, subresource = '', oldObject = stored) => ({
    operation: 'UPDATE' as const,
    subresource,
    object,
    oldObject,
  });
  const debug = (securityContext: object = {}) =>
    changed({ ephemeralContainers: [{ name: 'd', image: 'a', securityContext }] });

  for (const [title, spec, object, subresource, expected] of [
    ['that stay within the policy', strict, changed({}, { labels: { a: 'b' } }), '', undefined],
    ['of a pod that violates the policy', strict, privileged, '', /Privileged containers are not allowed/],
    [
      'of a seccomp profile',
      {},
      changed({}, { annotations: { [names.annotations.seccompPod]: 'unconfined' } }),
      '',
      /unconfined is not an allowed seccomp profile/,
    ],
    ['by an ephemeral container', strict, debug(), 'ephemeralcontainers', undefined],
    [
      'by an ephemeral container that violates the policy',
      strict,
      debug({ privileged: true }),
      'ephemeralcontainers',
      /spec\.ephemeralContainers\[0\]\.securityContext\.privileged: Invalid value: true/,
    ],
    [
      'by an ephemeral container without a field that the policy requires',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      debug(),
      'ephemeralcontainers',
      /\[spec: Forbidden: policy "a" sets defaults for new pods only, and some are missing\]$/,
    ],
    ['of the status', strict, privileged, 'status', undefined],
    ['by a binding', strict, privileged, 'binding', undefined],
  ] as const)
    it(`updates ${title} are ${expected === undefined ? 'admitted' : 'refused'}, and never changed`, async () => {
      const { admit, validate } = fixture({ a: spec });
      const write = update(object, subresource);
      assert.deepEqual(await admit(write), { refusal: undefined, object });
      const refusal = await validate(write);
      if (expected === undefined) assert.equal(refusal, undefined);
      else assert.match(refusal ?? '', expected);
    });

  it('owners and finalizers of a pod that violates the policies can be changed, and nothing else with them', async () => {
    const { validate } = fixture({ a: strict });
    const metadata = { ownerReferences: [], finalizers: [], managedFields: [], resourceVersion: '9' };
    const owned = { ...privileged, metadata: { ...privileged.metadata, ...metadata } } as ApiObject;
    assert.equal(await validate(update(owned, '', privileged)), undefined);
    const labelled = { ...owned, metadata: { ...owned.metadata, labels: { a: 'b' } } };
    assert.match((await validate(update(labelled, '', privileged))) ?? '', /Privileged containers/);
  });

  it('deletions, connections and other resources are not handled', () => {
    const { plugin } = fixture({});
    for (const target of [
      { operation: 'DELETE' as const },
      { operation: 'CONNECT' as const, subresource: 'exec' },
      { operation: 'CREATE' as const, subresource: 'eviction' },
      { operation: 'CREATE' as const, group: 'apps', resource: 'deployments' },
      { operation: 'CREATE' as const, group: 'metrics', resource: 'pods' },
    ])
      assert.equal(plugin.handles(testWrite({ object: pod(), ...target })), false);
  });
});

describe('admission plugin PodSecurityPolicy, releases', () => {
  const set = (name: string) => pod({ securityContext: { sysctls: [{ name, value: '1' }] } });
  for (const [name, since, before] of [
    ['net.ipv4.ping_group_range', '1.18', '1.17'],
    ['net.ipv4.ip_unprivileged_port_start', '1.22', '1.21'],
  ] as const)
    it(`the kernel parameter ${name} is safe from release ${since} on`, async () => {
      const { source } = fixture({ a: {} });
      const authorizer = { authorize: () => ({ verdict: 'allow', reason: '' }) as const };
      const verdict = (release: typeof since | typeof before) =>
        validated(
          podSecurityPolicy({ source, names, release, authorizer }),
          testWrite({ object: set(name) }),
        );
      assert.equal(await verdict(since), undefined);
      assert.match((await verdict(before)) ?? '', /unsafe sysctl/);
    });
});
