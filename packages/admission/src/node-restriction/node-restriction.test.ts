import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserInfo } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { type ApiObject, type Names, namesFor, namings, type ObjectMeta } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { handlesWrite, testWrite, validated } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes } from '../types.ts';
import { nodeRestriction } from './node-restriction.ts';

const userOf = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const node = (name: string): UserInfo => userOf(`system:node:${name}`, 'system:nodes');

const objectOf = (metadata: ObjectMeta, rest: object = {}): ApiObject => ({ metadata, ...rest });

/** A cluster of two nodes with a pod each. */
function cluster(names: Names, release = '1.37') {
  const source = new MemoryObjectSource();
  source.put('nodes', objectOf({ name: 'n1', uid: 'uid-1' }));
  source.put('pods', objectOf({ name: 'mine', namespace: 'ns', uid: 'p1' }, { spec: { nodeName: 'n1' } }));
  source.put('pods', objectOf({ name: 'other', namespace: 'ns', uid: 'p2' }, { spec: { nodeName: 'n2' } }));
  const plugin = nodeRestriction({
    source,
    names,
    authorizer: { authorize: () => ({ verdict: 'noOpinion', reason: '' }) },
    restrictsAudiences: false,
    release,
  });
  return {
    plugin,
    /** The reason for which a write of node n1 is refused; undefined when it is admitted or not handled. */
    async refusal(write: Partial<AdmissionAttributes>): Promise<string | undefined> {
      return validated(plugin, testWrite({ user: node('n1'), signal: AbortSignal.abort(), ...write }));
    },
  };
}

describe('admission plugin NodeRestriction', () => {
  const names = namesFor('orch');
  const { plugin, refusal } = cluster(names);

  it('other users are not affected, even with the name or the group of a node', () => {
    const target = testWrite({ resource: 'nodes', operation: 'DELETE' });
    for (const user of [
      userOf('admin', 'system:masters'),
      userOf('system:node:n1'),
      userOf('n1', 'system:nodes'),
    ])
      assert.equal(handlesWrite(plugin, { ...target, user }), false, user.name);
    assert.equal(handlesWrite(plugin, { ...target, user: node('n1') }), true);
    assert.equal(handlesWrite(plugin, { ...target, resource: 'events', user: node('n1') }), false);
  });

  it('the identity of a node without a name may write none of the restricted resources', async () => {
    for (const [group, resource] of [
      ['', 'pods'],
      ['', 'nodes'],
      ['', 'persistentvolumeclaims'],
      ['', 'serviceaccounts'],
      ['coordination', 'leases'],
      ['storage', 'csinodes'],
      ['resource', 'resourceslices'],
      ['certificates', 'certificatesigningrequests'],
    ] as const)
      for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const)
        assert.match(
          String(await refusal({ group, resource, operation, user: node('') })),
          /the user "system:node:" does not name a node/,
          `${operation} ${resource}`,
        );
  });

  const mirror = (change: (pod: ApiObject & { spec: Record<string, unknown> }) => void = () => {}) => {
    const pod = {
      metadata: {
        name: 'static-n1',
        namespace: 'ns',
        annotations: { [names.annotations.configMirror]: 'hash' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-1', controller: true }],
      } as ObjectMeta,
      spec: { nodeName: 'n1', containers: [] } as Record<string, unknown>,
    };
    change(pod);
    return { object: pod };
  };
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-1', controller: true };
  const owned = (...ownerReferences: object[]) =>
    mirror((pod) => {
      pod.metadata.ownerReferences = ownerReferences as ObjectMeta['ownerReferences'] & object;
    });
  const withSpec = (spec: object) => mirror((pod) => Object.assign(pod.spec, spec));
  const itself = /one owner reference, to itself$/;
  for (const [title, write, expected] of [
    ['a mirror pod that runs on the node', mirror(), undefined],
    [
      'a pod that is not a mirror',
      mirror((pod) => {
        pod.metadata.annotations = {};
      }),
      /can only create mirror pods/,
    ],
    ['a mirror pod elsewhere', withSpec({ nodeName: 'n2' }), /spec.nodeName is its own name/],
    ['a mirror pod nowhere', withSpec({ nodeName: undefined }), /spec.nodeName is its own name/],
    ['a mirror pod without an owner', owned(), itself],
    ['a mirror pod with two owners', owned(owner, owner), itself],
    ['a mirror pod owned by another node', owned({ ...owner, name: 'n2' }), itself],
    ['a mirror pod owned by another kind', owned({ ...owner, kind: 'Pod' }), itself],
    ['a mirror pod owned by another version', owned({ ...owner, apiVersion: 'v2' }), itself],
    ['a mirror pod that its owner does not control', owned({ ...owner, controller: false }), /controller$/],
    [
      'a mirror pod that blocks its owner',
      owned({ ...owner, blockOwnerDeletion: true }),
      /must not set blockOwnerDeletion/,
    ],
    ['a mirror pod of the node before', owned({ ...owner, uid: 'old' }), /"old".*is not that of node "n1"$/],
    [
      'a mirror pod with an account',
      withSpec({ serviceAccountName: 'sa' }),
      /that refer to serviceaccounts$/,
    ],
    [
      'a mirror pod with a secret',
      withSpec({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
      /that refer to secrets$/,
    ],
    [
      'a mirror pod with a config map in its environment',
      withSpec({ initContainers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] }),
      /that refer to configmaps$/,
    ],
    [
      'a mirror pod with a claim',
      withSpec({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      /that refer to persistentvolumeclaims$/,
    ],
  ] as const) {
    it(`a node ${expected === undefined ? 'may' : 'may not'} create ${title}`, async () => {
      const reason = await refusal(write);
      if (expected === undefined) assert.equal(reason, undefined);
      else assert.match(reason ?? 'admitted', expected);
    });
  }

  const pod = (nodeName: string | undefined, labels = {}): ApiObject =>
    objectOf({ name: 'p', namespace: 'ns', labels }, { spec: { nodeName } });
  const label = (labels: Record<string, string>, ownerReferences?: object[]): ApiObject =>
    objectOf({
      name: 'n1',
      labels,
      ...(ownerReferences === undefined ? {} : { ownerReferences: ownerReferences as never }),
    });
  const nodes = { resource: 'nodes' };
  const taint = (...keys: string[]): ApiObject =>
    objectOf({ name: 'n1' }, { spec: { taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) } });
  const claim = (status: object, annotations = {}): ApiObject =>
    objectOf(
      { name: 'c', namespace: 'ns', annotations },
      { spec: { volumeName: 'v' }, status: { phase: 'Bound', ...status } },
    );
  const claims = { resource: 'persistentvolumeclaims', subresource: 'status' };
  const lease = (namespace: string, name: string) => ({
    group: 'coordination',
    resource: 'leases',
    object: objectOf({ name, namespace }),
  });
  const leases = names.namespaces.nodeLease;
  const csiNode = (name: string) => ({ group: 'storage', resource: 'csinodes', object: objectOf({ name }) });
  const token = (boundObjectRef?: object) => ({
    resource: 'serviceaccounts',
    subresource: 'token',
    namespace: 'ns',
    object: { metadata: {}, spec: { boundObjectRef } },
  });
  const mine = { kind: 'Pod', apiVersion: 'v1', name: 'mine', uid: 'p1' };
  const restricted = `${names.labelPrefixes.nodeRestriction}zone`;

  const eviction = (name: string): Partial<AdmissionAttributes> => ({
    subresource: 'eviction',
    object: objectOf({ name, namespace: 'ns' }),
    signal: new AbortController().signal,
  });

  for (const [title, write, expected] of [
    ['change a pod that runs on the node', { object: pod('n1'), oldObject: pod('n1') }, /not change them$/],
    ['delete a pod that runs on the node', { oldObject: pod('n1') }, undefined],
    ['delete a pod of another', { oldObject: pod('n2') }, /can only delete pods/],
    ['delete a pod that waits for a place', { oldObject: pod(undefined) }, /can only delete pods/],
    [
      'tell of a pod that runs on the node',
      { subresource: 'status', object: pod('n1'), oldObject: pod('n1') },
      undefined,
    ],
    [
      'tell of a pod of another',
      { subresource: 'status', object: pod('n2'), oldObject: pod('n2') },
      /can only update the status of pods/,
    ],
    [
      'label a pod by telling of it',
      { subresource: 'status', object: pod('n1', { a: 'b' }), oldObject: pod('n1') },
      /cannot change labels/,
    ],
    ['evict a pod that runs on the node', eviction('mine'), undefined],
    ['evict a pod of another', eviction('other'), /can only evict pods/],
    ['evict a pod that does not exist', eviction('none'), /can only evict pods/],
    ['place a pod', { subresource: 'binding', object: pod('n1'), oldObject: pod(undefined) }, /not binding$/],

    ['register itself', { ...nodes, object: label({ [names.labels.hostname]: 'n1', mine: 'x' }) }, undefined],
    ['register itself with taints', { ...nodes, object: taint('a') }, undefined],
    ['register another node', { ...nodes, object: objectOf({ name: 'n2' }) }, /to write node "n2"$/],
    ['delete another node', { ...nodes, oldObject: objectOf({ name: 'n2' }) }, /to write node "n2"$/],
    [
      'tell of another node',
      {
        ...nodes,
        subresource: 'status',
        object: objectOf({ name: 'n2' }),
        oldObject: objectOf({ name: 'n2' }),
      },
      /to write node "n2"$/,
    ],
    [
      'register itself with a restricted label',
      { ...nodes, object: label({ [restricted]: 'a', free: 'x' }) },
      new RegExp(`to set its labels ${restricted}$`),
    ],
    [
      'set a restricted label',
      { ...nodes, object: label({ [restricted]: 'a' }), oldObject: label({}) },
      /to set its labels/,
    ],
    [
      'set one through its status',
      { ...nodes, subresource: 'status', object: label({ [restricted]: 'a' }), oldObject: label({}) },
      /to set its labels/,
    ],
    [
      'remove a restricted label',
      { ...nodes, object: label({}), oldObject: label({ [restricted]: 'a' }) },
      /to set its labels/,
    ],
    [
      'keep the restricted label that it was given',
      { ...nodes, object: label({ [restricted]: 'a', b: 'c' }), oldObject: label({ [restricted]: 'a' }) },
      undefined,
    ],
    [
      'set its owner',
      { ...nodes, object: label({}, [owner]), oldObject: label({}) },
      /to set its owner references$/,
    ],
    ['register itself with an owner', { ...nodes, object: label({}, [owner]) }, /owner references$/],
    [
      'remove its owner',
      { ...nodes, object: label({}), oldObject: label({}, [owner]) },
      /to set its owner references$/,
    ],
    ['add a taint', { ...nodes, object: taint('a'), oldObject: taint() }, /to change its taints$/],
    ['remove a taint', { ...nodes, object: taint(), oldObject: taint('a') }, /to change its taints$/],
    ['keep its taints', { ...nodes, object: taint('a'), oldObject: taint('a') }, undefined],
    [
      'choose where its configuration is from',
      {
        ...nodes,
        object: objectOf({ name: 'n1' }, { spec: { configSource: { configMap: {} } } }),
        oldObject: objectOf({ name: 'n1' }),
      },
      /spec.configSource$/,
    ],

    [
      'tell how far a volume has grown',
      { ...claims, object: claim({ capacity: { storage: '2Gi' }, conditions: [] }), oldObject: claim({}) },
      undefined,
    ],
    [
      'tell that a claim is lost',
      { ...claims, object: claim({ phase: 'Lost' }), oldObject: claim({}) },
      /status.capacity and status.conditions/,
    ],
    [
      'annotate a claim by telling of it',
      { ...claims, object: claim({}, { a: 'b' }), oldObject: claim({}) },
      /status.capacity and status.conditions/,
    ],
    [
      'change a claim',
      { ...claims, subresource: '', object: claim({}), oldObject: claim({}) },
      /only update the status/,
    ],

    ['create its lease', lease(leases, 'n1'), undefined],
    ['renew its lease', { ...lease(leases, 'n1'), oldObject: objectOf({ name: 'n1' }) }, undefined],
    ['create the lease of another', lease(leases, 'n2'), /with its own name$/],
    ['create a lease in another namespace', lease('default', 'n1'), /only write leases in the namespace/],
    ['create its CSINode', csiNode('n1'), undefined],
    ['create the CSINode of another', csiNode('n2'), /with its own name$/],

    ['get a token for a pod that runs on the node', token(mine), undefined],
    ['get a token for nothing', token(), /not bound to a pod$/],
    ['get a token for a secret', token({ ...mine, kind: 'Secret' }), /not bound to a pod$/],
    ['get a token for a pod without its uid', token({ ...mine, uid: '' }), /without a uid$/],
    [
      'get a token for a pod that was before',
      token({ ...mine, uid: 'old' }),
      /does not exist with uid "old"$/,
    ],
    ['get a token for a pod that is not', token({ ...mine, name: 'x' }), /does not exist/],
    ['get a token for a pod of another', token({ ...mine, name: 'other', uid: 'p2' }), /on another node$/],
    [
      'change an account',
      { ...token(mine), subresource: '', oldObject: objectOf({ name: 'sa' }) },
      /cannot write service accounts$/,
    ],
  ] as const) {
    it(`a node ${expected === undefined ? 'may' : 'may not'} ${title}`, async () => {
      const reason = await refusal(write as Partial<AdmissionAttributes>);
      if (expected === undefined) assert.equal(reason, undefined);
      else assert.match(reason ?? 'admitted', expected);
    });
  }

  it('fields that the server writes into a claim besides its status are admitted', async () => {
    const old = claim({});
    old.metadata.resourceVersion = '5';
    const next = cloneJson(old);
    delete next.metadata.resourceVersion;
    next.metadata.managedFields = [{}];
    assert.equal(await refusal({ ...claims, object: next, oldObject: old }), undefined);
  });
});

describe('labels that a node may set on itself', () => {
  for (const naming of namings) {
    const names = namesFor(naming);
    const { refusal } = cluster(names);
    const { labels, labelPrefixes } = names;
    const own = labelPrefixes.domain;
    for (const [key, isFree] of [
      ['free', true],
      ['example.com/free', true],
      [`not${own}x`, true],
      [labels.hostname, true],
      [labels.arch, true],
      [labels.os, true],
      [labels.instanceType, true],
      [labels.topologyZone, true],
      [labels.topologyRegion, true],
      [labels.failureDomainZone, true],
      [`${labelPrefixes.nodeagentDomain}/x`, true],
      [`sub.${labelPrefixes.nodeagentDomain}/x`, true],
      [`${labelPrefixes.nodeDomain}/x`, true],
      [`${labelPrefixes.nodeRole}control-plane`, false],
      [`${labelPrefixes.nodeRestriction}x`, false],
      [`sub.${labelPrefixes.nodeRestriction}x`, false],
      [`${own}x`, false],
      [`any.${own}x`, false],
      [`${labelPrefixes.apiDomain}/x`, false],
      [`any.${labelPrefixes.apiDomain}/x`, false],
    ] as const) {
      it(`with ${naming} names a node ${isFree ? 'may' : 'may not'} set its label ${key}`, async () => {
        const object = objectOf({ name: 'n1', labels: { [key]: 'v' } });
        const reason = await refusal({ resource: 'nodes', object });
        assert.equal(reason, isFree ? undefined : `node "n1" is not allowed to set its labels ${key}`);
      });
    }
  }
});
