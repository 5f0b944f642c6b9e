import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const review = `
apiVersion: authorization.k8s.io/v1
kind: SelfSubjectAccessReview
spec: {resourceAttributes: {group: apps, resource: deployments, verb: create, namespace: default}}
`;

const pods = `
apiVersion: v1
kind: Pod
metadata: {name: p1, labels: {app: web}}
spec: {containers: [{name: c1, image: i1, ports: [{containerPort: 80}]}, {name: c2, image: i2}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p2, labels: {app: web}}
spec: {containers: [{name: c1, image: i1}]}
`;

describe('answers that kubectl gives', { timeout: 120_000 }, () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    const { status, err } = await cluster.orchctl(['create', '-f', '-'], { input: pods });
    assert.equal(status, 0, err);
  });
  after(() => cluster[Symbol.asyncDispose]());

  it('create prints a review, which has no name, with its status', async () => {
    const { status, out, err } = await cluster.orchctl(['create', '-f', '-'], { input: review });
    assert.equal(status, 0, err);
    assert.match(out, /^kind: SelfSubjectAccessReview$/m);
    assert.match(out, /^ {2}allowed: true$/m);
    const path = ['create', '-f', '-', '-o', 'jsonpath={.status.allowed}'];
    assert.equal((await cluster.orchctl(path, { input: review })).out, 'true');
  });

  for (const [format, expected] of [
    ["jsonpath={.items[*]['metadata.name','status.phase']}", 'p1 p2 Pending Pending'],
    ["jsonpath={.items[0].metadata.labels['app']}", 'web'],
    ['custom-columns=N:.metadata.name,C:.spec.containers[1].name', 'N     C\np1    c2\np2    <none>\n'],
    [
      'custom-columns=N:.metadata.name,C:.spec.containers[?(@.ports[0].containerPort==80)].name',
      'N     C\np1    c1\np2    <none>\n',
    ],
  ] as const)
    it(`get pods -o ${format} prints every pod`, async () => {
      const { status, out, err } = await cluster.orchctl(['get', 'pods', '-o', format]);
      assert.equal(status, 0, err);
      assert.equal(out, expected);
    });

  it('delete of a file without objects finds nothing, and apply --prune deletes the last object', async () => {
    const empty = await cluster.orchctl(['delete', '-f', '-'], { input: '# nothing\n' });
    assert.deepEqual([empty.status, empty.out], [0, 'No resources found\n']);
    const argv = ['apply', '-f', '-', '--prune', '--inventory=files'];
    const last = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: last}\n';
    assert.equal((await cluster.orchctl(argv, { input: last })).status, 0);
    const pruned = await cluster.orchctl(argv, { input: '' });
    assert.deepEqual([pruned.status, pruned.out, pruned.err], [0, 'configmap/last pruned\n', '']);
    assert.equal((await cluster.orchctl(['apply', '-f', '-'], { input: '' })).status, 1);
  });

  it('auth can-i impersonate prints no warning', async () => {
    for (const word of ['users', 'groups', 'userextras.authentication.k8s.io/scopes', 'serviceaccounts']) {
      const { out, err } = await cluster.orchctl(['auth', 'can-i', 'impersonate', word]);
      assert.deepEqual([out, err], ['yes\n', ''], word);
    }
  });

  it('wait --for=create waits for the first object of a selector, and fails at its timeout without one', async () => {
    let log = '';
    const argv = ['wait', '--for=create', 'cm', '-l', 'app=later', '--timeout=60s', '-v=6'];
    const waiting = cluster.orchctl(argv, {
      onErrorOutput(text) {
        log = text;
      },
    });
    await until(() => log.includes('app%3Dlater'));
    const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {app: later}}\n';
    await cluster.orchctl(['create', '-f', '-'], { input: configMap });
    assert.equal((await waiting).out, 'configmap/c condition met\n');
    const never = await cluster.orchctl([
      ...['wait', '--for=create', 'cm', '-l', 'app=never', '--timeout=1s'],
    ]);
    assert.deepEqual([never.status, never.err], [1, 'error: no matching resources found\n']);
  });
});
