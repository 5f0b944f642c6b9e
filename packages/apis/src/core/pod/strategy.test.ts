import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import type { Release } from '../../release.ts';
import { setPath } from '../../testing/set-path.ts';
import { type Written, writePath } from '../../testing/write-path.ts';
import { pods } from './index.ts';
import { qosClassOf } from './qos-class.ts';

const path = writePath();

const base = {
  metadata: { name: 'p' },
  spec: {
    containers: [{ name: 'c', image: 'nginx' }],
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  },
};
const created = path.create(pods, base).object;

const causes = (written: Written): readonly (readonly [string, string])[] =>
  written.errors.map(({ type, field }) => [type, field]);

function changed(set: Readonly<Record<string, unknown>>, stored = created, through?: string): Written {
  const input = cloneJson(stored) as Record<string, unknown>;
  for (const [at, value] of Object.entries(set)) setPath(input, at, value);
  return path.update(pods, stored, input, through);
}

function stored(set: Readonly<Record<string, unknown>>): ApiObject {
  const object = cloneJson(created);
  for (const [at, value] of Object.entries(set)) setPath(object, at, value);
  return object;
}

describe('creating pods', () => {
  it('creating pods drops the status that the client sent', () => {
    const { object } = path.create(pods, { ...base, status: { phase: 'Running', podIP: '1.2.3.4' } });
    assert.deepEqual(object['status'], { phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('creating pods takes the service account under its older name', () => {
    const { object } = path.create(pods, { ...base, spec: { ...base.spec, serviceAccount: 'old' } });
    const spec = object['spec'] as Record<string, unknown>;
    assert.deepEqual([spec['serviceAccountName'], spec['serviceAccount']], ['old', 'old']);
  });

  it('creating pods lets the newer name of the service account win', () => {
    const spec = { ...base.spec, serviceAccount: 'old', serviceAccountName: 'new' };
    const { object } = path.create(pods, { ...base, spec });
    assert.equal((object['spec'] as Record<string, unknown>)['serviceAccount'], 'new');
  });

  it('creating pods projects no token without a service account', () => {
    const volumes = [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }];
    const written = path.create(pods, { ...base, spec: { ...base.spec, volumes } });
    assert.deepEqual(causes(written), [
      ['FieldValueForbidden', 'spec.volumes[0].projected.sources[0].serviceAccountToken'],
    ]);
  });
});

describe('updating pods', () => {
  for (const [title, before, set, expected] of [
    [
      'may bring the deadline nearer',
      { 'spec.activeDeadlineSeconds': 50 },
      { 'spec.activeDeadlineSeconds': 40 },
      [],
    ],
    [
      'may not move the deadline away',
      { 'spec.activeDeadlineSeconds': 50 },
      { 'spec.activeDeadlineSeconds': 60 },
      [['FieldValueInvalid', 'spec.activeDeadlineSeconds']],
    ],
    [
      'may not lift the deadline',
      { 'spec.activeDeadlineSeconds': 50 },
      { 'spec.activeDeadlineSeconds': undefined },
      [['FieldValueInvalid', 'spec.activeDeadlineSeconds']],
    ],
    ['may change how long a taint is tolerated', {}, { 'spec.tolerations[0].tolerationSeconds': 9 }, []],
    [
      'may not change what is tolerated',
      {},
      { 'spec.tolerations[0].key': 'b' },
      [['FieldValueForbidden', 'spec.tolerations']],
    ],
    [
      'may correct a negative grace period',
      { 'spec.terminationGracePeriodSeconds': -1 },
      { 'spec.terminationGracePeriodSeconds': 1 },
      [],
    ],
    [
      'may not change it otherwise',
      { 'spec.terminationGracePeriodSeconds': -1 },
      { 'spec.terminationGracePeriodSeconds': 2 },
      [['FieldValueForbidden', 'spec']],
    ],
    [
      'may not remove an image',
      {},
      { 'spec.containers[0].image': '' },
      [['FieldValueRequired', 'spec.containers[0].image']],
    ],
    [
      'may not add init containers',
      {},
      { 'spec.initContainers': [{ name: 'i', image: 'i' }] },
      [['FieldValueForbidden', 'spec.initContainers']],
    ],
    [
      'may not add ephemeral containers',
      {},
      { 'spec.ephemeralContainers': [{ name: 'e', image: 'e' }] },
      [['FieldValueForbidden', 'spec']],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(causes(changed(set, stored(before))), expected));
  }

  it('updating pods keeps the stored status', () => {
    assert.deepEqual(changed({ 'status.phase': 'Running' }).object['status'], created['status']);
  });

  it('updates of pods can remove scheduling gates, and add none', () => {
    const later = writePath(namesFor('orch'), '1.27');
    const gated = later.create(pods, {
      ...base,
      spec: { ...base.spec, schedulingGates: [{ name: 'a' }, { name: 'b' }] },
    }).object;
    const next = (gates: readonly object[]): Written =>
      later.update(pods, gated, { ...gated, spec: { ...(gated['spec'] as object), schedulingGates: gates } });
    assert.deepEqual(causes(next([{ name: 'b' }])), []);
    assert.deepEqual(causes(next([])), []);
    assert.deepEqual(causes(next([{ name: 'a' }, { name: 'c' }])), [
      ['FieldValueForbidden', 'spec.schedulingGates[1].name'],
    ]);
  });
});

describe('the ephemeralcontainers subresource', () => {
  const debug = { name: 'e', image: 'busybox', targetContainerName: 'c' };

  it('the ephemeralcontainers subresource adds containers and nothing else', () => {
    const set = { 'spec.ephemeralContainers': [debug], 'spec.nodeName': 'n', 'status.phase': 'Running' };
    const { object, errors } = changed(set, created, 'ephemeralcontainers');
    assert.deepEqual(errors, []);
    const spec = object['spec'] as Record<string, unknown>;
    assert.deepEqual([spec['nodeName'], object['status']], [undefined, created['status']]);
    assert.equal((spec['ephemeralContainers'] as unknown[]).length, 1);
  });

  it('the ephemeralcontainers subresource neither changes nor removes them', () => {
    const debugged = changed({ 'spec.ephemeralContainers': [debug] }, created, 'ephemeralcontainers').object;
    const forbidden = [['FieldValueForbidden', 'spec.ephemeralContainers']];
    const image = { 'spec.ephemeralContainers[0].image': 'other' };
    assert.deepEqual(causes(changed(image, debugged, 'ephemeralcontainers')), forbidden);
    assert.deepEqual(
      causes(changed({ 'spec.ephemeralContainers': [] }, debugged, 'ephemeralcontainers')),
      forbidden,
    );
  });

  it('the ephemeralcontainers subresource refuses what such a container cannot have', () => {
    const set = {
      'spec.ephemeralContainers': [{ ...debug, targetContainerName: 'x', ports: [{ containerPort: 1 }] }],
    };
    assert.deepEqual(causes(changed(set, created, 'ephemeralcontainers')), [
      ['FieldValueForbidden', 'spec.ephemeralContainers[0].ports'],
      ['FieldValueNotFound', 'spec.ephemeralContainers[0].targetContainerName'],
    ]);
  });
});

describe('the status of pods', () => {
  it('the status of pods is written alone', () => {
    const set = {
      status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }] },
      'spec.nodeName': 'n',
      'metadata.labels': { a: 'b' },
    };
    const { object, errors } = changed(set, created, 'status');
    assert.deepEqual(errors, []);
    assert.deepEqual(object['spec'], created['spec']);
    assert.deepEqual(object.metadata.labels, { a: 'b' });
    assert.deepEqual(object['status'], {
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
    });
  });

  it('a status without a class of service keeps the stored one from 1.32 on', () => {
    const classIn = (release: Release): unknown => {
      const path = writePath(undefined, release);
      const { object } = path.create(pods, {
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      });
      const next = { ...path.show(pods, object), status: { phase: 'Running' } };
      return path.update(pods, object, next, 'status').object['status'];
    };
    assert.deepEqual(classIn('1.31'), { phase: 'Running' });
    assert.deepEqual(classIn('1.32'), { phase: 'Running', qosClass: 'BestEffort' });
  });

  for (const subresource of ['ephemeralcontainers', 'resize'])
    it(`a change through ${subresource} keeps labels, annotations, finalizers and owners`, () => {
      const path = writePath(undefined, '1.33');
      const metadata = { name: 'p', labels: { a: 'b' } };
      const { object } = path.create(pods, { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u' };
      const changes = {
        labels: { A_: 'x' },
        annotations: { c: 'd' },
        finalizers: ['a/b'],
        ownerReferences: [owner],
      };
      const shown = path.show(pods, object);
      const next = { ...shown, metadata: { ...shown.metadata, ...changes } };
      const { object: found, errors } = path.update(pods, object, next, subresource);
      assert.deepEqual(errors, []);
      assert.deepEqual(found.metadata, object.metadata);
    });

  it('the status of pods does not change owners', () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u' };
    assert.equal(
      changed({ 'metadata.ownerReferences': [owner] }, created, 'status').object.metadata.ownerReferences,
      undefined,
    );
  });

  it('the status of pods has one address per family', () => {
    const set = { 'status.podIPs': [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] };
    assert.deepEqual(causes(changed(set, created, 'status')), [['FieldValueInvalid', 'status.podIPs']]);
    assert.deepEqual(causes(changed({ 'status.podIPs': [{ ip: 'x' }] }, created, 'status')), [
      ['FieldValueInvalid', 'status.podIPs[0]'],
    ]);
  });

  for (const [policy, exitCode, refused] of [
    ['Always', 0, false],
    ['OnFailure', 1, false],
    ['OnFailure', 0, true],
    ['Never', 1, true],
  ] as const) {
    it(`the status of pods ${refused ? 'does not let' : 'lets'} a container that ended with ${exitCode} run again under ${policy}`, () => {
      const before = stored({
        'spec.restartPolicy': policy,
        'status.containerStatuses': [{ name: 'c', state: { terminated: { exitCode } } }],
      });
      const set = { 'status.containerStatuses': [{ name: 'c', state: { running: {} } }] };
      const expected = refused ? [['FieldValueForbidden', 'status.containerStatuses[0].state']] : [];
      assert.deepEqual(causes(changed(set, before, 'status')), expected);
    });
  }
});

describe('grace periods of pods', () => {
  const grace = (set: Readonly<Record<string, unknown>>, requested?: number): number | undefined =>
    pods.strategy.gracePeriodSeconds?.(stored(set), requested);
  const on = { 'spec.nodeName': 'n' };

  for (const [title, set, requested, expected] of [
    ['a pod without a node goes at once', {}, 30, 0],
    ['a pod that failed goes at once', { ...on, 'status.phase': 'Failed' }, 30, 0],
    ['a pod that succeeded goes at once', { ...on, 'status.phase': 'Succeeded' }, undefined, 0],
    ['the client decides', on, 7, 7],
    ['the client may ask for none', on, 0, 0],
    ['the pod decides otherwise', { ...on, 'spec.terminationGracePeriodSeconds': 12 }, undefined, 12],
    ['a negative period is one second', { ...on, 'spec.terminationGracePeriodSeconds': -5 }, undefined, 1],
  ] as const) {
    it(title, () => assert.equal(grace(set, requested), expected));
  }
});

describe('classes of service', () => {
  const both = (cpu: string, memory: string): object => ({ cpu, memory });
  const container = (limits?: object, requests?: object): object => ({ resources: { limits, requests } });

  for (const [title, containers, expected] of [
    ['no requests', [container()], 'BestEffort'],
    ['only requests of zero', [container(both('0', '0'), both('0', '0'))], 'BestEffort'],
    ['other resources do not count', [container({ 'a.b/x': '1' }, { 'a.b/x': '1' })], 'BestEffort'],
    [
      'limits and requests are the same',
      [container(both('1', '1Gi'), both('1000m', '1024Mi'))],
      'Guaranteed',
    ],
    ['of all containers', [container(both('1', '1Gi'), both('1', '1Gi')), container()], 'Burstable'],
    ['requests below the limits', [container(both('1', '1Gi'), both('1', '1Mi'))], 'Burstable'],
    ['only one resource', [container({ cpu: '1' }, { cpu: '1' })], 'Burstable'],
    ['only requests', [container(undefined, both('1', '1Gi'))], 'Burstable'],
  ] as const) {
    it(`classes of service: ${title}: ${expected}`, () => assert.equal(qosClassOf({ containers }), expected));
  }

  it('the class of service of a pod is found without reading the other resources of its lists', () => {
    const read: unknown[] = [];
    const resources = { cpu: '1', memory: '1Gi', 'a.b/x': '1' };
    const limits = new Proxy(resources, {
      get: (list, name) => {
        read.push(name);
        return Reflect.get(list, name);
      },
      ownKeys: () => assert.fail('the names of all resources are listed'),
    });
    assert.equal(qosClassOf({ containers: [{ resources: { limits, requests: resources } }] }), 'Guaranteed');
    assert.deepEqual(read, ['cpu', 'memory']);
  });
});
