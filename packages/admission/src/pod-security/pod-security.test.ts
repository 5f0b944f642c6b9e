import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { testWrite } from '../testing/plugin-calls.ts';
import { namespace, podSecurityFixture } from '../testing/pod-security-fixture.ts';

const pod = (spec: object = {}, metadata: object = {}): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns', ...metadata },
  spec: { containers: [{ name: 'c', image: 'a' }], ...spec },
});
const onHost = (spec: object = {}): ApiObject => pod({ hostPID: true, ...spec });
const RULE = 'host namespaces (hostPID=true)';

describe('admission plugin PodSecurity, pods', () => {
  it('a pod that violates the enforced level is refused, with what it violates', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { enforce: 'baseline' }));
    assert.deepEqual(await review({ object: onHost() }), {
      refusal: `violates PodSecurity "baseline:latest": ${RULE}`,
      warnings: [],
      annotations: { 'enforce-policy': 'baseline:latest' },
    });
    assert.equal((await review({ object: pod() })).refusal, undefined);
  });

  it('the message for the level restricted is the one that users know', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { enforce: 'restricted' }));
    assert.equal(
      (await review({ object: pod() })).refusal,
      'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
  });

  it('a pod that violates the other levels is admitted, audited and warned about', async () => {
    const { source, review } = podSecurityFixture();
    source.put(
      'namespaces',
      namespace('ns', { audit: 'baseline', 'audit-version': 'v1.20', warn: 'baseline' }),
    );
    assert.deepEqual(await review({ object: onHost() }), {
      refusal: undefined,
      warnings: [`would violate PodSecurity "baseline:latest": ${RULE}`],
      annotations: {
        'enforce-policy': 'privileged:latest',
        'audit-violations': `would violate PodSecurity "baseline:v1.20": ${RULE}`,
      },
    });
  });

  it('a pod that is refused is audited and not warned about', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { enforce: 'baseline', audit: 'baseline', warn: 'baseline' }));
    const { warnings, annotations } = await review({ object: onHost() });
    assert.deepEqual(warnings, []);
    assert.equal(annotations['audit-violations'], `would violate PodSecurity "baseline:latest": ${RULE}`);
  });

  it('pods of namespaces without labels are admitted', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns'));
    assert.deepEqual(await review({ object: onHost() }), {
      refusal: undefined,
      warnings: [],
      annotations: { 'enforce-policy': 'privileged:latest' },
    });
  });

  it('a write in a namespace without labels is admitted without its objects being read, which would parse them', async () => {
    const { source, plugin } = podSecurityFixture();
    source.put('namespaces', namespace('ns'));
    for (const [group, resource] of [
      ['', 'pods'],
      ['apps', 'deployments'],
    ] as const) {
      const write = testWrite({ operation: 'UPDATE', group, resource, namespace: 'ns' });
      for (const state of ['object', 'oldObject'])
        Object.defineProperty(write, state, { get: () => assert.fail(`${state} was read`) });
      assert.equal(plugin.handles(write), true);
      assert.equal(await plugin.validate?.(write), undefined);
    }
  });

  it('a changed label applies to the next pod', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns'));
    await review({ object: onHost() });
    source.put('namespaces', namespace('ns', { enforce: 'baseline' }));
    assert.match((await review({ object: onHost() })).refusal ?? '', /^violates/);
  });

  it('a namespace that is not cached yet is read again, and is required', async () => {
    const { review, counts } = podSecurityFixture();
    assert.equal((await review({ object: pod() })).refusal, 'namespaces "ns" not found');
    assert.deepEqual(counts('pod_security_errors_total'), [
      'pod_security_errors_total{fatal="true",request_operation="create",resource="pod",subresource=""} 1',
    ]);
  });

  it('pods of a namespace whose labels are invalid must meet the level restricted', async () => {
    const { source, review, counts } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { enforce: 'strict', 'warn-version': 'v2' }));
    const { refusal, annotations } = await review({ object: pod() });
    assert.match(refusal ?? '', /^violates PodSecurity "restricted:latest"/);
    assert.match(
      annotations['error'] ?? '',
      /^Failed to parse policy: \[metadata\.labels\[pod-security\.orch\.io\/enforce\]: .*, metadata\.labels.*\]$/,
    );
    assert.deepEqual(counts('pod_security_errors_total'), [
      'pod_security_errors_total{fatal="false",request_operation="create",resource="pod",subresource=""} 1',
    ]);
  });
});

describe('admission plugin PodSecurity, updates of pods', () => {
  const image = (name: string) => ({ containers: [{ name: 'c', image: name }] });
  const debug = (name: string, image = 'a') => ({ ephemeralContainers: [{ name, image }] });
  const annotated = (key: string) => onHostWith({ annotations: { [key]: 'unconfined' } });
  const onHostWith = (metadata: object): ApiObject => pod({ hostPID: true }, metadata);

  for (const [title, old, next, isRefused] of [
    ['that changes labels is admitted', onHost(), onHostWith({ labels: { a: 'b' } }), false],
    ['that removes a finalizer is admitted', onHostWith({ finalizers: ['a/b'] }), onHost(), false],
    ['that adds a toleration is admitted', onHost(), onHost({ tolerations: [{}] }), false],
    ['that changes an image is refused', onHost(), onHost(image('b')), true],
    [
      'that changes the image of an initial container is refused',
      onHost({ initContainers: [{ name: 'i', image: 'a' }] }),
      onHost({ initContainers: [{ name: 'i', image: 'b' }] }),
      true,
    ],
    ['that adds an ephemeral container is refused', onHost(), onHost(debug('d')), true],
    ['that replaces an ephemeral container is refused', onHost(debug('d')), onHost(debug('e')), true],
    ['that leaves the ephemeral containers is admitted', onHost(debug('d')), onHost(debug('d')), false],
    [
      'that changes a seccomp annotation of the pod is refused',
      onHost(),
      annotated('seccomp.security.alpha.orch.io/pod'),
      true,
    ],
    [
      'that changes a seccomp annotation of a container is refused',
      annotated('container.seccomp.security.alpha.orch.io/c'),
      onHost(),
      true,
    ],
    [
      'that changes an AppArmor annotation is refused',
      onHost(),
      annotated('container.apparmor.security.beta.orch.io/c'),
      true,
    ],
    ['that changes another annotation is admitted', onHost(), annotated('example.com/a'), false],
  ] as const)
    it(`an update of a violating pod ${title}`, async () => {
      const { source, review } = podSecurityFixture();
      source.put('namespaces', namespace('ns', { enforce: 'baseline' }));
      const { refusal } = await review({ oldObject: old, object: next });
      assert.equal(refusal !== undefined, isRefused, refusal);
    });

  it('a privileged ephemeral container is refused in a pod that complies', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { enforce: 'baseline' }));
    const ephemeralContainers = [{ name: 'd', image: 'a', securityContext: { privileged: true } }];
    const { refusal } = await review({
      subresource: 'ephemeralcontainers',
      oldObject: pod(),
      object: pod({ ephemeralContainers }),
    });
    assert.match(refusal ?? '', /privileged \(container "d" must not set/);
  });
});

describe('admission plugin PodSecurity, handled writes', () => {
  const { plugin } = podSecurityFixture();
  const isHandled = (
    resource: string,
    subresource = '',
    operation: 'CREATE' | 'DELETE' = 'CREATE',
  ): boolean => {
    const [group = '', name = ''] = resource.includes('/') ? resource.split('/') : ['', resource];
    return plugin.handles({ ...testWrite({}), group, resource: name, subresource, operation });
  };

  it('subresources that do not write the spec are not handled, unknown ones are', () => {
    for (const name of ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'status'])
      assert.equal(isHandled('pods', name), false, name);
    for (const name of ['', 'ephemeralcontainers', 'resize', 'anything'])
      assert.equal(isHandled('pods', name), true, name);
  });

  it('resources with templates of pods, and namespaces, are handled, their subresources and others are not', () => {
    for (const resource of [...templates.keys(), 'namespaces']) {
      assert.equal(isHandled(resource), true, resource);
      assert.equal(isHandled(resource, 'status'), false, resource);
    }
    for (const resource of ['services', 'example.com/pods', 'example.com/deployments', 'deployments'])
      assert.equal(isHandled(resource), false, resource);
  });

  it('deletions are not handled', () => {
    for (const resource of ['pods', 'namespaces', 'apps/deployments'])
      assert.equal(isHandled(resource, '', 'DELETE'), false, resource);
  });

  it('nothing is handled while the feature gate is closed', () => {
    const closed = podSecurityFixture({ hasPodSecurity: false });
    assert.equal(closed.plugin.handles(testWrite({ object: pod() })), false);
  });
});

const inSpec = (template: object): object => ({ spec: { template } });

/** Resources with templates of pods, and where these are. */
const templates = new Map<string, (template: object) => object>([
  ['podtemplates', (template) => ({ template })],
  ['replicationcontrollers', inSpec],
  ['apps/daemonsets', inSpec],
  ['apps/deployments', inSpec],
  ['apps/replicasets', inSpec],
  ['apps/statefulsets', inSpec],
  ['batch/cronjobs', (template) => ({ spec: { jobTemplate: inSpec(template) } })],
  ['batch/jobs', inSpec],
]);

describe('admission plugin PodSecurity, templates of pods', () => {
  const metadata = { name: 'w', namespace: 'ns' };
  for (const [path, withTemplate] of templates) {
    const [group = '', resource = ''] = path.includes('/') ? path.split('/') : ['', path];
    const write = (spec: object) => ({
      group,
      resource,
      object: { metadata, ...withTemplate({ spec }) } as ApiObject,
    });

    it(`a violating template of ${resource} is admitted, audited and warned about`, async () => {
      const { source, review } = podSecurityFixture();
      source.put(
        'namespaces',
        namespace('ns', { enforce: 'restricted', audit: 'baseline', warn: 'baseline' }),
      );
      const text = `would violate PodSecurity "baseline:latest": ${RULE}`;
      assert.deepEqual(await review(write({ hostPID: true })), {
        refusal: undefined,
        warnings: [text],
        annotations: { 'audit-violations': text },
      });
      assert.deepEqual((await review(write({}))).warnings, []);
    });
  }

  it('annotations of a template are evaluated', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { warn: 'baseline' }));
    const annotations = { 'container.apparmor.security.beta.orch.io/c': 'unconfined' };
    const object = { metadata, spec: { template: { metadata: { annotations } } } };
    const { warnings } = await review({ group: 'apps', resource: 'deployments', object });
    assert.match(warnings[0] ?? '', /forbidden AppArmor profile/);
  });

  it('a controller without a template is admitted', async () => {
    const { source, review } = podSecurityFixture();
    source.put('namespaces', namespace('ns', { warn: 'restricted' }));
    const { warnings } = await review({ resource: 'replicationcontrollers', object: { metadata, spec: {} } });
    assert.deepEqual(warnings, []);
  });
});

describe('admission plugin PodSecurity, exemptions and defaults', () => {
  const configuration = `defaults: {enforce: baseline, warn: restricted}
exemptions: {usernames: [carol], runtimeClasses: [vm], namespaces: [exempt]}
`;

  it('a namespace without labels has the configured default', async () => {
    const { source, review } = podSecurityFixture({ configuration });
    source.put('namespaces', namespace('ns'));
    assert.match(
      (await review({ object: onHost() })).refusal ?? '',
      /^violates PodSecurity "baseline:latest"/,
    );
    assert.match(
      (await review({ object: pod() })).warnings[0] ?? '',
      /^would violate PodSecurity "restricted:latest"/,
    );
  });

  for (const [reason, write] of [
    ['namespace', { object: pod({ hostPID: true }, { namespace: 'exempt' }) }],
    ['user', { object: onHost(), user: { name: 'carol', uid: '', groups: [], extra: {} } }],
    ['runtimeClass', { object: onHost({ runtimeClassName: 'vm' }) }],
  ] as const)
    it(`a pod that is exempt by its ${reason} is admitted without warnings, and counted`, async () => {
      const { source, review, counts } = podSecurityFixture({ configuration });
      for (const name of ['ns', 'exempt'])
        source.put('namespaces', namespace(name, { enforce: 'restricted' }));
      assert.deepEqual(await review(write), {
        refusal: undefined,
        warnings: [],
        annotations: { exempt: reason },
      });
      assert.deepEqual(counts('pod_security_exemptions_total'), [
        'pod_security_exemptions_total{request_operation="create",resource="pod",subresource=""} 1',
      ]);
    });

  it('groups and parts of names are not exempt', async () => {
    const { source, review } = podSecurityFixture({ configuration });
    source.put('namespaces', namespace('ns', { enforce: 'baseline' }));
    const user = { name: 'carol2', uid: 'carol', groups: ['carol'], extra: {} };
    for (const write of [{ object: onHost(), user }, { object: onHost({ runtimeClassName: 'vm2' }) }])
      assert.match((await review(write)).refusal ?? '', /^violates/);
  });

  it('an exempt template is admitted without warnings', async () => {
    const { source, review } = podSecurityFixture({ configuration });
    source.put('namespaces', namespace('ns'));
    const object = {
      metadata: { name: 'w', namespace: 'ns' },
      spec: { template: { spec: { hostPID: true, runtimeClassName: 'vm' } } },
    };
    const { warnings, annotations } = await review({ group: 'apps', resource: 'deployments', object });
    assert.deepEqual([warnings, annotations], [[], { exempt: 'runtimeClass' }]);
  });
});

describe('admission plugin PodSecurity, metrics', () => {
  const series = (labels: string): string => `pod_security_evaluations_total{${labels}} 1`;
  const ofPod = 'request_operation="create",resource="pod",subresource=""';

  it('evaluations are counted by decision, level, version and mode', async () => {
    const { source, review, counts } = podSecurityFixture();
    source.put(
      'namespaces',
      namespace('ns', { enforce: 'baseline', 'enforce-version': 'v1.20', warn: 'restricted' }),
    );
    await review({ object: pod() });
    await review({ object: onHost() });
    assert.deepEqual(counts('pod_security_evaluations_total').toSorted(), [
      series(`decision="allow",policy_level="baseline",policy_version="v1.20",mode="enforce",${ofPod}`),
      series(`decision="deny",policy_level="baseline",policy_version="v1.20",mode="enforce",${ofPod}`),
      series(`decision="deny",policy_level="restricted",policy_version="latest",mode="warn",${ofPod}`),
    ]);
  });

  it('versions that the release does not have are counted as one', async () => {
    const { source, review, counts } = podSecurityFixture();
    for (const version of ['v1.25', 'v1.999']) {
      source.put('namespaces', namespace('ns', { enforce: 'baseline', 'enforce-version': version }));
      await review({ object: pod() });
    }
    assert.deepEqual(counts('pod_security_evaluations_total'), [
      `pod_security_evaluations_total{decision="allow",policy_level="baseline",policy_version="future",mode="enforce",${ofPod}} 2`,
    ]);
  });
});
