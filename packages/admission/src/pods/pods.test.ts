import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { type ApiObject, namesFor } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from './deny-escalating-exec.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { securityContextDeny } from './security-context-deny.ts';

const names = namesFor('orch');
const podWith = (spec: object): ApiObject => ({ metadata: { name: 'p', namespace: 'ns' }, spec });
const creating = (spec: object): AdmissionAttributes => testWrite({ object: podWith(spec) });
const updating = (old: object, next: object): AdmissionAttributes =>
  testWrite({ object: podWith(next), oldObject: podWith(old) });
const specAfter = async (plugin: AdmissionPlugin, write: AdmissionAttributes): Promise<unknown> =>
  (await mutated(plugin, write)).object?.['spec'];

describe('admission plugin AlwaysPullImages', () => {
  const plugin = alwaysPullImages();
  const one = (imagePullPolicy: string, image = 'i') => ({ name: 'c', image, imagePullPolicy });

  it('the containers of all three kinds of a new pod get the policy Always', async () => {
    const lists = (policy: string) => ({
      initContainers: [one(policy)],
      containers: [one(policy)],
      ephemeralContainers: [one(policy)],
    });
    assert.deepEqual(await specAfter(plugin, creating(lists('Never'))), lists('Always'));
  });

  it('an update changes the policy only of containers with another image', async () => {
    const old = { containers: [one('IfNotPresent')] };
    assert.deepEqual(await specAfter(plugin, updating(old, old)), old);
    assert.deepEqual(await specAfter(plugin, updating(old, { containers: [one('Never', 'j')] })), {
      containers: [one('Always', 'j')],
    });
  });

  it('a container whose policy a later plugin has changed is refused', () => {
    assert.match(String(validated(plugin, creating({ containers: [one('Never')] }))), /must be Always$/);
    assert.equal(validated(plugin, creating({ containers: [one('Always')] })), undefined);
  });

  it('ephemeral containers that are added later are included, the status is not', () => {
    assert.equal(
      plugin.handles({ ...creating({}), operation: 'UPDATE', subresource: 'ephemeralcontainers' }),
      true,
    );
    assert.equal(plugin.handles({ ...creating({}), operation: 'UPDATE', subresource: 'status' }), false);
    assert.equal(plugin.handles({ ...creating({}), operation: 'DELETE' }), false);
  });
});

describe('admission plugin DefaultTolerationSeconds', () => {
  const plugin = defaultTolerationSeconds({ names, tolerationSeconds: { notReady: 300, unreachable: 60 } });
  const ofNotReady = {
    key: 'node.orch.io/not-ready',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  };
  const ofUnreachable = { ...ofNotReady, key: 'node.orch.io/unreachable', tolerationSeconds: 60 };
  for (const [title, present, added] of [
    ['a pod without tolerations gets both', undefined, [ofNotReady, ofUnreachable]],
    ['a toleration of another taint does not replace them', [{ key: 'k' }], [ofNotReady, ofUnreachable]],
    ['a toleration of every taint makes them unnecessary', [{ operator: 'Exists' }], []],
    [
      'a toleration of all taints with the effect makes them unnecessary',
      [{ operator: 'Exists', effect: 'NoExecute' }],
      [],
    ],
    [
      'a toleration of another effect does not',
      [{ key: ofNotReady.key, effect: 'NoSchedule' }],
      [ofNotReady, ofUnreachable],
    ],
    ['one that the pod has itself stays', [{ ...ofNotReady, tolerationSeconds: 5 }], [ofUnreachable]],
  ] as const)
    it(`tolerations of nodes that are not ready or unreachable: ${title}`, async () => {
      const spec = present === undefined ? {} : { tolerations: present };
      const all = [...(present ?? []), ...added];
      assert.deepEqual(await specAfter(plugin, creating(spec)), all.length === 0 ? {} : { tolerations: all });
    });
});

describe('admission plugin ExtendedResourceToleration', () => {
  const plugin = extendedResourceToleration({ names });
  const requesting = (...resources: string[]) => ({
    containers: [
      { name: 'c', resources: { requests: Object.fromEntries(resources.map((name) => [name, '1'])) } },
    ],
  });
  const toleration = (key: string) => ({ key, operator: 'Exists' });

  it('a pod tolerates taints that are named after the extended resources that it requests', async () => {
    const spec = requesting('example.com/b', 'cpu', 'example.com/a', 'orch.io/own', 'requests.example.com/a');
    assert.deepEqual(await specAfter(plugin, creating(spec)), {
      ...spec,
      tolerations: [toleration('example.com/a'), toleration('example.com/b')],
    });
  });

  it('a toleration that the pod has already is not added again', async () => {
    const spec = { ...requesting('example.com/a'), tolerations: [toleration('example.com/a')] };
    assert.deepEqual(await specAfter(plugin, creating(spec)), spec);
    assert.deepEqual(await specAfter(plugin, creating(requesting('cpu'))), requesting('cpu'));
  });
});

describe('admission plugins DenyEscalatingExec and DenyExecOnPrivileged', () => {
  const pods: readonly (readonly [name: string, spec: object, isRefused: boolean])[] = [
    ['plain', { containers: [{ name: 'c' }] }, false],
    ['privileged', { containers: [{ name: 'c', securityContext: { privileged: true } }] }, true],
    ['privileged-init', { initContainers: [{ name: 'c', securityContext: { privileged: true } }] }, true],
    ['host-pid', { hostPID: true }, true],
    ['host-ipc', { hostIPC: true }, true],
    ['host-network', { hostNetwork: true }, false],
  ];
  const source = new MemoryObjectSource();
  for (const [name, spec] of pods) source.put('pods', { metadata: { name, namespace: 'ns' }, spec });
  for (const plugin of [denyEscalatingExec({ source }), denyExecOnPrivileged({ source })])
    for (const [name, , isRefused] of pods)
      for (const subresource of ['exec', 'attach', 'portforward'])
        it(`${plugin.name} ${isRefused && subresource !== 'portforward' ? 'refuses' : 'admits'} ${subresource} of the pod ${name}`, async () => {
          const write = testWrite({ operation: 'CONNECT', subresource, namespace: 'ns', name });
          const refusal = await validated(plugin, write);
          if (isRefused && subresource !== 'portforward')
            assert.match(refusal ?? '', /^cannot exec into or attach to/);
          else assert.equal(refusal, undefined);
        });
});

describe('admission plugin SecurityContextDeny', () => {
  const plugin = securityContextDeny();
  for (const [spec, expected] of [
    [{}, undefined],
    [{ securityContext: { runAsNonRoot: true } }, undefined],
    [
      { securityContext: { supplementalGroups: [1] } },
      'pod.spec.securityContext.supplementalGroups is forbidden',
    ],
    [{ securityContext: { seLinuxOptions: {} } }, 'pod.spec.securityContext.seLinuxOptions is forbidden'],
    [{ securityContext: { runAsUser: 0 } }, 'pod.spec.securityContext.runAsUser is forbidden'],
    [{ securityContext: { fsGroup: 1 } }, 'pod.spec.securityContext.fsGroup is forbidden'],
    [
      { containers: [{ name: 'c', securityContext: { runAsUser: 1 } }] },
      'securityContext.runAsUser is forbidden in container "c"',
    ],
    [
      { initContainers: [{ name: 'i', securityContext: { seLinuxOptions: {} } }] },
      'securityContext.seLinuxOptions is forbidden in container "i"',
    ],
  ] as const)
    it(`a pod with the spec ${JSON.stringify(spec)} is ${expected === undefined ? 'admitted' : 'refused'}`, () => {
      assert.equal(validated(plugin, creating(spec)), expected);
    });
});

describe('admission plugin LimitPodHardAntiAffinityTopology', () => {
  const plugin = limitPodHardAntiAffinityTopology({ names });
  const required = (topologyKey: string) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });

  it('only nodes can be the topology of a required anti-affinity', () => {
    assert.equal(validated(plugin, creating(required('orch.io/hostname'))), undefined);
    assert.match(
      String(validated(plugin, creating(required('zone')))),
      /has a topologyKey other than "orch.io\/hostname"$/,
    );
    assert.equal(validated(plugin, creating({})), undefined);
  });
});
