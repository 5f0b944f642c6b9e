import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, item, podObject, pods, refused } from './fixture.ts';

const priorityClasses = '/apis/scheduling.orch.io/v1/priorityclasses';
const runtimeClasses = '/apis/node.orch.io/v1/runtimeclasses';

const priorityClass = (name: string, value: number, rest: object = {}): object => ({
  apiVersion: 'scheduling.orch.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  ...rest,
});

const PREEMPT = 'PreemptLowerPriority';

describe('priority and runtime classes of pods', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const specOf = async (name: string, spec: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await create(server.client, pods, podObject(name, {}, spec))).spec;
  const apply = (path: string, body: object): Promise<ApiResponse> =>
    server.client.send('PATCH', `${path}?fieldManager=test`, {
      body,
      contentType: 'application/apply-patch+yaml',
    });

  it('a pod gets priority and preemption policy of a class that was created just before', async () => {
    await create(server.client, priorityClasses, priorityClass('quiet', 7, { preemptionPolicy: 'Never' }));
    const { priority, preemptionPolicy } = await specOf('quiet', { priorityClassName: 'quiet' });
    assert.deepEqual([priority, preemptionPolicy], [7, 'Never']);
    const plain = await specOf('plain', {});
    assert.deepEqual([plain['priority'], plain['preemptionPolicy']], [0, PREEMPT]);
    const critical = await specOf('critical', { priorityClassName: 'system-node-critical' });
    assert.equal(critical['priority'], 2_000_001_000);
  });

  it('no write gives a pod another priority than its class has', async () => {
    const chosen = (name: string): object => podObject(name, {}, { priority: 2_000_001_000 });
    refused(await server.client.post(pods, chosen('chosen')), 403, 'Forbidden');
    refused(await server.client.post(`${pods}?dryRun=All`, chosen('chosen')), 403, 'Forbidden');
    refused(await apply(`${pods}/chosen`, chosen('chosen')), 403, 'Forbidden');
    const missing = podObject('missing', {}, { priorityClassName: 'nope' });
    assert.match(
      refused(await server.client.post(pods, missing), 403, 'Forbidden').message,
      /nope was found$/,
    );

    await create(server.client, pods, podObject('kept'));
    refused(await apply(`${pods}/kept?force=true`, chosen('kept')), 422, 'Invalid');
    const patched = await server.client.send('PATCH', `${pods}/kept`, {
      body: { spec: { priority: 2_000_001_000 } },
      contentType: 'application/merge-patch+json',
    });
    refused(patched, 422, 'Invalid');
  });

  it('a pod that is replaced or applied again without its priority keeps it', async () => {
    const object = podObject('again');
    const first = item(expectCode(201, await apply(`${pods}/again`, object)));
    assert.deepEqual([first.spec['priority'], first.spec['preemptionPolicy']], [0, PREEMPT]);
    const second = item(expectCode(200, await apply(`${pods}/again`, object)));
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);

    const { priority: _, preemptionPolicy: __, ...spec } = first.spec;
    const labelled = { ...first, metadata: { ...first.metadata, labels: { a: 'b' } }, spec };
    const replaced = item(
      expectCode(200, await server.client.send('PUT', `${pods}/again`, { body: labelled })),
    );
    assert.deepEqual([replaced.spec['priority'], replaced.metadata.labels], [0, { a: 'b' }]);
  });

  it('there is one default class, which pods without a class get', async () => {
    const isDefault = { globalDefault: true };
    await create(server.client, priorityClasses, priorityClass('usual', 5, isDefault));
    const { priority, priorityClassName } = await specOf('usual', {});
    assert.deepEqual([priority, priorityClassName], [5, 'usual']);

    await create(server.client, priorityClasses, priorityClass('other', 6));
    const path = `${priorityClasses}/other`;
    for (const answer of [
      await server.client.post(priorityClasses, priorityClass('third', 6, isDefault)),
      await apply(path, priorityClass('other', 6, isDefault)),
      await server.client.send('PUT', path, { body: priorityClass('other', 6, isDefault) }),
    ])
      assert.match(refused(answer, 403, 'Forbidden').message, /usual is already marked as default/);

    const renamed = priorityClass('usual', 5, { ...isDefault, description: 'For most pods.' });
    expectCode(200, await server.client.send('PUT', `${priorityClasses}/usual`, { body: renamed }));
    expectCode(200, await server.client.send('DELETE', `${priorityClasses}/usual`));
    expectCode(200, await apply(path, priorityClass('other', 6, isDefault)));
    assert.equal((await specOf('next', {}))['priorityClassName'], 'other');
  });

  it('a pod gets overhead, node selector and tolerations of its runtime class', async () => {
    const toleration = { key: 'vm', operator: 'Exists' };
    await create(server.client, runtimeClasses, {
      apiVersion: 'node.orch.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { memory: '1Gi' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [toleration] },
    });
    const { overhead, nodeSelector, tolerations } = await specOf('vm', {
      runtimeClassName: 'vm',
      nodeSelector: { zone: 'a' },
      tolerations: [{ ...toleration, effect: 'NoSchedule' }],
    });
    assert.deepEqual([overhead, nodeSelector], [{ memory: '1Gi' }, { vm: 'yes', zone: 'a' }]);
    assert.deepEqual(
      (tolerations as object[]).filter((each) => 'key' in each && each.key === 'vm'),
      [toleration],
    );

    for (const [spec, message] of [
      [{ runtimeClassName: 'nope' }, /RuntimeClass "nope" not found$/],
      [{ overhead: { memory: '1Gi' } }, /without corresponding RuntimeClass/],
      [{ runtimeClassName: 'vm', overhead: { memory: '1Mi' } }, /doesn't match RuntimeClass/],
      [
        { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } },
        /^.*conflict: runtimeClass.scheduling.nodeSelector\[vm\]/,
      ],
    ] as const)
      assert.match(
        refused(await server.client.post(pods, podObject('refused', {}, spec)), 403, 'Forbidden').message,
        message,
      );
  });
});

describe('priority classes of pods in release 1.16', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ args: ['--emulated-version=1.16'] });
  });
  after(() => server[Symbol.asyncDispose]());

  it('classes of the system are for pods of the system namespace, and pods have no preemption policy', async () => {
    const critical = podObject('critical', {}, { priorityClassName: 'system-cluster-critical' });
    const { message } = refused(await server.client.post(pods, critical), 403, 'Forbidden');
    assert.match(message, /system-cluster-critical priorityClass is not permitted in default namespace$/);
    const path = '/api/v1/namespaces/orch-system/pods';
    const { priority, preemptionPolicy } = (await create(server.client, path, critical)).spec;
    assert.deepEqual([priority, preemptionPolicy], [2_000_000_000, undefined]);
  });
});
