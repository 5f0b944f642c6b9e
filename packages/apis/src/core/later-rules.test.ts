import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Release } from '../release.ts';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { endpoints } from './endpoints/index.ts';
import { nodes } from './node/index.ts';
import { persistentVolumes } from './persistent-volume/index.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/index.ts';
import { services } from './service/index.ts';
import { serviceAccounts } from './service-account.ts';

const created = (release: Release, type: ResourceType, object: object) =>
  writePath(undefined, release).create(type, object as Readonly<Record<string, unknown>>);

const problems = (release: Release, type: ResourceType, object: object): readonly string[] =>
  created(release, type, object).errors.map(({ type: reason, field }) => `${reason} ${field}`);

const claim = {
  metadata: { name: 'c' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['ok', 'not a value'] }] },
  },
};

describe('rules of core kinds in later releases', () => {
  it('values in label selectors are those of labels from 1.26 on', () => {
    assert.deepEqual(problems('1.25', persistentVolumeClaims, claim), []);
    assert.deepEqual(problems('1.26', persistentVolumeClaims, claim), [
      'FieldValueInvalid spec.selector.matchExpressions[0].values[1]',
    ]);
  });

  it('a stored label selector keeps values that labels cannot have', () => {
    const path = writePath(undefined, '1.26');
    const { object } = created('1.25', persistentVolumeClaims, claim);
    assert.deepEqual(path.update(persistentVolumeClaims, object, { ...object }).errors, []);
  });

  it('a service account keeps the names of its secrets only', () => {
    const secrets = [{ name: 'a', kind: 'Secret', uid: 'u' }, { kind: 'Secret' }];
    const { object } = created('1.24', serviceAccounts, { metadata: { name: 'a' }, secrets });
    assert.deepEqual(object['secrets'], [{ name: 'a' }, {}]);
  });

  it('ports of endpoints and services name their application protocol, or have none', () => {
    const path = writePath();
    const ports = [{ port: 80, appProtocol: '' }];
    const ofEndpoints = path.create(endpoints, {
      metadata: { name: 'e' },
      subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports }],
    });
    const ofService = path.create(services, { metadata: { name: 's' }, spec: { ports } });
    assert.deepEqual(
      [...ofEndpoints.errors, ...ofService.errors].map(({ type, field }) => `${type} ${field}`),
      ['FieldValueInvalid subsets[0].ports[0].appProtocol', 'FieldValueInvalid spec.ports[0].appProtocol'],
    );
  });

  it('the class of a load balancer is checked in services that have one', () => {
    const classOf = (type: string): unknown =>
      writePath()
        .create(services, {
          metadata: { name: 's' },
          spec: { type, ports: [{ port: 80 }], loadBalancerClass: '-' },
        })
        .errors.map(({ type: reason, field }) => `${reason} ${field}`);
    assert.deepEqual(classOf('LoadBalancer'), ['FieldValueInvalid spec.loadBalancerClass']);
    assert.deepEqual(classOf('NodePort'), ['FieldValueForbidden spec.loadBalancerClass']);
  });

  it('the traffic policy of a service that is closed to the outside has one error, whatever it is', () => {
    const spec = { type: 'ClusterIP', ports: [{ port: 80 }], externalTrafficPolicy: 'Foo' };
    const { errors } = writePath().create(services, { metadata: { name: 's' }, spec });
    assert.deepEqual(
      errors.map(({ type, field }) => `${type} ${field}`),
      ['FieldValueInvalid spec.externalTrafficPolicy'],
    );
  });

  it('subsets of endpoints are stored as they were sent from 1.28 on', () => {
    const subsets = [{ addresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }, { ip: '10.0.0.1' }] }];
    const { object } = created('1.28', endpoints, { metadata: { name: 'e' }, subsets });
    assert.deepEqual(object['subsets'], subsets);
  });

  it('addresses that programs read differently are refused from 1.36 on', () => {
    const subsets = [{ addresses: [{ ip: '::ffff:10.0.0.1' }] }];
    const mapped = { metadata: { name: 'e' }, subsets };
    assert.deepEqual(problems('1.35', endpoints, mapped), []);
    assert.deepEqual(problems('1.36', endpoints, mapped), ['FieldValueInvalid subsets[0].addresses[0].ip']);
    const node = { metadata: { name: 'n' }, spec: { podCIDRs: ['10.0.0.1/24'] } };
    assert.deepEqual(problems('1.35', nodes, node), []);
    assert.deepEqual(problems('1.36', nodes, node), ['FieldValueInvalid spec.podCIDRs[0]']);
  });

  it('only volumes of CSI drivers have an attributes class', () => {
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
    const volume = { metadata: { name: 'v' }, spec: { ...spec, volumeAttributesClassName: 'fast' } };
    assert.deepEqual(problems('1.34', persistentVolumes, volume), ['FieldValueRequired spec.csi']);
  });
});
