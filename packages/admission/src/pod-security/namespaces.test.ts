import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { type ModeLabels, namespace, podSecurityFixture } from '../testing/pod-security-fixture.ts';

const resource = 'namespaces';

const updated = (old: ModeLabels, next: ModeLabels) => ({
  resource,
  oldObject: namespace('ns', old),
  object: namespace('ns', next),
});

describe('admission plugin PodSecurity, labels of namespaces', () => {
  const INVALID =
    'Namespace "ns" is invalid: metadata.labels[pod-security.orch.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted';

  it('a namespace with invalid labels is refused when it is created', async () => {
    const { review } = podSecurityFixture();
    assert.equal(
      (await review({ resource, object: namespace('ns', { enforce: 'strict' }) })).refusal,
      INVALID,
    );
    assert.equal(
      (await review({ resource, object: namespace('ns', { enforce: 'baseline' }) })).refusal,
      undefined,
    );
  });

  for (const [title, old, next, isRefused] of [
    ['that sets an invalid label is refused', {}, { enforce: 'strict' }, true],
    [
      'that changes an invalid label to another one is refused',
      { enforce: 'x' },
      { enforce: 'strict' },
      true,
    ],
    ['that keeps an invalid label is admitted', { enforce: 'strict' }, { enforce: 'strict', a: 'b' }, false],
    ['that removes an invalid label is admitted', { enforce: 'strict' }, {}, false],
  ] as const)
    it(`an update of a namespace ${title}`, async () => {
      const { refusal } = await podSecurityFixture().review(updated(old, next));
      assert.equal(refusal, isRefused ? INVALID : undefined);
    });

  it('labels of an exempt namespace have no effect, which is warned about', async () => {
    const configuration = 'exemptions: {namespaces: [ns]}\n';
    const { review, source } = podSecurityFixture({ configuration });
    source.put('pods', { metadata: { name: 'p', namespace: 'ns' }, spec: { hostPID: true } });
    const text =
      'namespace "ns" is exempt from Pod Security, and the policy (enforce=baseline:latest, warn=restricted:v1.20) will be ignored';
    const labels = { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.20' };
    assert.deepEqual((await review({ resource, object: namespace('ns', labels) })).warnings, [text]);
    assert.deepEqual((await review(updated({}, labels))).warnings, [text]);
    assert.deepEqual((await review({ resource, object: namespace('ns', {}) })).warnings, []);
    assert.deepEqual(
      (await review({ resource, object: namespace('ns', { enforce: 'privileged' }) })).warnings,
      [],
    );
  });
});

const podNamed = (name: string, spec: object, owner?: string): ApiObject => ({
  metadata: {
    name,
    namespace: 'ns',
    ...(owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: owner, uid: owner, controller: true }] }),
  },
  spec,
});

describe('admission plugin PodSecurity, existing pods', () => {
  const heading =
    'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"';

  it('pods that violate a new level are warned about, grouped by what they violate', async () => {
    const { source, review } = podSecurityFixture();
    for (const name of ['c', 'a', 'b', 'd']) source.put('pods', podNamed(name, { hostPID: true }));
    for (const name of ['y', 'x'])
      source.put('pods', podNamed(name, { hostIPC: true, volumes: [{ name: 'v', hostPath: {} }] }));
    source.put('pods', podNamed('z', { volumes: [{ name: 'v', hostPath: {} }] }));
    source.put('pods', podNamed('good', {}));
    source.put('pods', { metadata: { name: 'p', namespace: 'other' }, spec: { hostPID: true } });
    assert.deepEqual((await review(updated({}, { enforce: 'baseline' }))).warnings, [
      heading,
      'a (and 3 other pods): host namespaces',
      'x (and 1 other pod): host namespaces, hostPath volumes',
      'z: hostPath volumes',
    ]);
  });

  for (const [title, old, next, isEvaluated] of [
    ['when the level becomes stricter', { enforce: 'privileged' }, { enforce: 'baseline' }, true],
    [
      'when another version is enforced',
      { enforce: 'restricted', 'enforce-version': 'v1.20' },
      { enforce: 'baseline' },
      true,
    ],
    ['not when the level becomes less strict', { enforce: 'restricted' }, { enforce: 'baseline' }, false],
    ['not when the level stays', { enforce: 'baseline' }, { enforce: 'baseline', warn: 'restricted' }, false],
    [
      'not when the new level is privileged',
      { enforce: 'baseline' },
      { enforce: 'privileged', 'enforce-version': 'v1.20' },
      false,
    ],
  ] as const)
    it(`existing pods are evaluated ${title}`, async () => {
      const { source, review } = podSecurityFixture();
      source.put('pods', podNamed('p', { hostPID: true }));
      const { warnings, refusal } = await review(updated(old, next));
      assert.deepEqual([warnings.length, refusal], [isEvaluated ? 2 : 0, undefined]);
    });

  it('pods with an exempt runtime class are not evaluated', async () => {
    const { source, review } = podSecurityFixture({ configuration: 'exemptions: {runtimeClasses: [vm]}\n' });
    source.put('pods', podNamed('p', { hostPID: true, runtimeClassName: 'vm' }));
    assert.deepEqual((await review(updated({}, { enforce: 'baseline' }))).warnings, []);
  });

  it('at most 3000 pods are evaluated, one of each controller first', async () => {
    const { source, review } = podSecurityFixture();
    for (let i = 0; i < 3000; i++) source.put('pods', podNamed(`p${i}`, { hostPID: true }, 'first'));
    source.put('pods', podNamed('q', { hostIPC: true, hostPID: true }, 'second'));
    source.put('pods', podNamed('r', { hostNetwork: true, volumes: [{ name: 'v', hostPath: {} }] }));
    assert.deepEqual((await review(updated({}, { enforce: 'baseline' }))).warnings, [
      'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
      heading,
      'p0 (and 2998 other pods): host namespaces',
      'r: host namespaces, hostPath volumes',
    ]);
  });

  it('pods are evaluated for at most one second', async () => {
    let now = 0;
    const monotonic = (): number => {
      now += 100;
      return now;
    };
    const { source, review } = podSecurityFixture({ clock: { monotonic } });
    for (let i = 0; i < 20; i++) source.put('pods', podNamed(`p${i}`, { hostPID: true }));
    assert.deepEqual((await review(updated({}, { enforce: 'baseline' }))).warnings, [
      'new PodSecurity enforce level only checked against the first 9 of 20 existing pods',
      heading,
      'p0 (and 8 other pods): host namespaces',
    ]);
  });

  it('the evaluation of existing pods ends when the request is aborted', async () => {
    const { source, review } = podSecurityFixture();
    source.put('pods', podNamed('p', { hostPID: true }));
    await assert.rejects(
      () => review({ ...updated({}, { enforce: 'baseline' }), signal: AbortSignal.abort(new Error('gone')) }),
      /gone/,
    );
  });
});
