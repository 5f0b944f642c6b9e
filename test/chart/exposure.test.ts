import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, specOf } from '@orch/machinery/json';
import { nameOf, rendered, skip, valueSets } from './chart.ts';

const ofKind = (objects: readonly ApiObject[], kind: string): readonly ApiObject[] =>
  objects.filter((object) => object.kind === kind);

const portsOf = (owner: unknown): readonly unknown[] =>
  asObjects(asObject(owner)['ports']).map(({ port }) => port);

const labelsIn = (peer: unknown): unknown => asObject(asObject(asObject(peer)['podSelector'])['matchLabels']);

describe('ports that the chart exposes', { skip }, () => {
  it('Services with an address have the port of the API only, with every set of values', async () => {
    for (const [name, file] of valueSets)
      for (const service of ofKind(await rendered(`--values=${file}`), 'Service')) {
        if (specOf(service)['clusterIP'] === 'None') continue;
        const ports = asObjects(specOf(service)['ports']).map(({ targetPort }) => targetPort);
        assert.deepEqual(ports, ['https'], `${name}: ${nameOf(service)}`);
      }
  });

  it('with network policies the bundled etcd accepts API servers and its members', async () => {
    const policies = ofKind(await rendered('--set=networkPolicy.enabled=true'), 'NetworkPolicy');
    const etcd = policies.find((policy) => nameOf(policy) === 'main-orch-etcd') ?? assert.fail();
    const rules = asObjects(specOf(etcd)['ingress']);
    const accepted = rules
      .filter((rule) => portsOf(rule).some((port) => port === 'client' || port === 'peer'))
      .map((rule) => [portsOf(rule), asObjects(rule['from']).map(labelsIn)]);
    const labels = (component: string): object => ({
      'app.kubernetes.io/name': 'orch',
      'app.kubernetes.io/instance': 'main',
      'app.kubernetes.io/component': component,
    });
    assert.deepEqual(accepted, [
      [['client'], [labels('apiserver')]],
      [['client', 'peer'], [labels('etcd')]],
    ]);
  });

  it('network policies with peers accept only those, and the controllers and the test of the release', async () => {
    const everything = valueSets.get('everything') ?? assert.fail();
    const policies = ofKind(await rendered(`--values=${everything}`), 'NetworkPolicy');
    for (const policy of policies)
      for (const rule of asObjects(specOf(policy)['ingress']))
        assert.ok(
          asObjects(rule['from']).length > 0,
          `${nameOf(policy)} accepts all peers on ${portsOf(rule).join()}`,
        );
    assert.equal(policies.length, 3);
  });

  it('pods have no token of a service account, except those of orch init', async () => {
    for (const [name, file] of valueSets)
      for (const object of await rendered(`--values=${file}`)) {
        const template = asObject(asObject(specOf(object)['template'])['spec']);
        const spec = object.kind === 'Pod' ? specOf(object) : template;
        if (spec['containers'] === undefined || object.kind === 'Job') continue;
        assert.equal(spec['automountServiceAccountToken'], false, `${name}: ${nameOf(object)}`);
      }
  });
});
