import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';

const names = namesFor('orch');

describe('admission plugin DefaultIngressClass', () => {
  const ingress = { metadata: { name: 'i', namespace: 'ns' }, spec: {} };
  const creating = (object: object = ingress, group = 'networking') =>
    testWrite({ group, resource: 'ingresses', object: object as typeof ingress });
  const plugin = (...defaults: readonly string[]) => {
    const source = new MemoryObjectSource();
    source.put('ingressclasses.networking', { metadata: { name: 'other' } });
    for (const name of defaults)
      source.put('ingressclasses.networking', {
        metadata: { name, annotations: { [names.annotations.defaultIngressClass]: 'true' } },
      });
    return defaultIngressClass({ source, names, refusesSeveralDefaults: true });
  };

  for (const group of ['networking', 'extensions'])
    it(`an Ingress of the group ${group} without a class gets the default one`, async () => {
      const { object } = await mutated(plugin('a'), creating(ingress, group));
      assert.deepEqual(object?.['spec'], { ingressClassName: 'a' });
    });

  it('an Ingress keeps the class that it names, also in the annotation', async () => {
    for (const own of [
      { ...ingress, spec: { ingressClassName: 'other' } },
      {
        ...ingress,
        metadata: { ...ingress.metadata, annotations: { [names.annotations.ingressClass]: 'x' } },
      },
    ])
      assert.deepEqual((await mutated(plugin('a'), creating(own))).object, own);
  });

  it('without a default class an Ingress stays as it is, with several it is refused', async () => {
    assert.deepEqual((await mutated(plugin(), creating())).object, ingress);
    assert.equal(
      (await mutated(plugin('a', 'b'), creating())).refusal,
      '2 default IngressClasses were found, only 1 allowed',
    );
  });

  it('updates are not changed', () => {
    assert.equal(plugin('a').handles({ ...creating(), operation: 'UPDATE' }), false);
  });
});

describe('admission plugin DenyServiceExternalIPs', () => {
  const plugin = denyServiceExternalIPs();
  const service = (...externalIPs: string[]) => ({
    metadata: { name: 's', namespace: 'ns' },
    spec: { externalIPs },
  });
  for (const [title, old, next, isRefused] of [
    ['a new service with external IPs', undefined, service('1.1.1.1'), true],
    ['a new service without external IPs', undefined, service(), false],
    ['an additional external IP', service('1.1.1.1'), service('1.1.1.1', '2.2.2.2'), true],
    ['another external IP', service('1.1.1.1'), service('2.2.2.2'), true],
    ['the same external IPs', service('1.1.1.1'), service('1.1.1.1'), false],
    ['fewer external IPs', service('1.1.1.1', '2.2.2.2'), service('2.2.2.2'), false],
  ] as const)
    it(`an update or creation with ${title} is ${isRefused ? 'refused' : 'admitted'}`, () => {
      const refusal = validated(plugin, testWrite({ resource: 'services', object: next, oldObject: old }));
      assert.equal(refusal !== undefined, isRefused);
    });
});
