import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject } from '@orch/machinery/json';
import { poll } from '@orch/machinery/testing';
import { ApiClient, readClientConfig, temporaryFolder } from '@orch/testkit';
import { HelmSession } from '../conformance/helm-session.ts';
import { chart, helm, memberAt, objectsIn, skip, valueSets } from './chart.ts';
import { HostNode } from './pods/host-node.ts';
import { InstalledPlane } from './pods/installed-plane.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const deployment = '/apis/apps/v1/namespaces/default/deployments/main-orch-apiserver';
const made = ['init', 'apiserver', 'controller-manager', 'admin', 'etcd'].map((name) => `main-orch-${name}`);

/** The steps of a release build on one another. */
describe('a release of the chart with orch as the cluster', { skip, timeout: 240_000 }, () => {
  let session: HelmSession;
  let node: HostNode;
  let plane: InstalledPlane | undefined;

  before(async () => {
    assert.ok(helm.kind === 'built');
    session = await HelmSession.start(helm.program, { program: 'orch' });
    node = new HostNode(session.server);
  });
  after(async () => {
    await plane?.[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
  });

  const lastRun = (name: string) => {
    const run = node.runs.findLast((one) => one.name === name) ?? assert.fail(`${name} did not run`);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    return run;
  };
  const rotationOf = async (): Promise<unknown> =>
    memberAt(await session.get(deployment), [
      'spec',
      'template',
      'metadata',
      'annotations',
      'checksum/rotation',
    ]);

  /** Runs the pods of the CronJob once, as `kubectl create job --from` does. */
  const renewNow = async (name: string): Promise<void> => {
    const cron = await session.get('/apis/batch/v1/namespaces/default/cronjobs/main-orch-renewal');
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: asObject(memberAt(cron, ['spec', 'jobTemplate', 'spec'])),
    };
    const path = '/apis/batch/v1/namespaces/default/jobs';
    const answer = await session.server.client.post(path, job);
    assert.equal(answer.status, 201, answer.text);
    await poll(`the end of ${name}`, 30_000, async () => node.runs.some((run) => run.name === name));
  };

  it('helm install runs the job first, which makes the Secrets, and prints what to do next', async () => {
    const notes = await session.ok('install', 'main', chart, '--timeout=120s');
    assert.match(notes, /^STATUS: deployed$/m);
    assert.match(notes, /kubectl -n default get secret main-orch-admin/);
    assert.match(notes, /WARNING: the bundled etcd is meant for trying/);
    assert.equal(lastRun('main-orch-init').account, 'main-orch-init');
    for (const name of made) await session.get(`${secrets}/${name}`);
    assert.equal(
      (await session.server.client.get('/apis/batch/v1/namespaces/default/jobs/main-orch-init')).status,
      404,
    );
  });

  it('the permissions of the job are removed after it', async () => {
    for (const kind of ['rolebindings', 'roles']) {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/default/${kind}/main-orch-init`;
      assert.equal((await session.server.client.get(path)).status, 404, kind);
    }
  });

  it('the programs of the rendered workloads become ready over the Secrets and the bundled etcd', async () => {
    plane = await InstalledPlane.create({
      objects: objectsIn(await session.ok('get', 'manifest', 'main')),
      secret: node.secret,
      ports: { api: 6443, apiServerOps: 8080, controllersOps: 8081 },
      server: 'https://main-orch.default.svc:443',
    });
    node.replacements = plane.replacements;
    await plane.startEtcd();
    await plane.startProgram('apiserver');
    await plane.startProgram('controllers');
    await usesPlane('first');
  });

  /** The administrator creates a namespace, and the controllers an account in it. */
  const usesPlane = async (namespace: string): Promise<void> => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'admin.conf');
    writeFileSync(path, (await node.secret('main-orch-admin'))['admin.conf'] ?? '');
    using client = new ApiClient({ ...readClientConfig(path), server: plane?.url ?? '' });
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    const answer = await client.post('/api/v1/namespaces', object);
    assert.equal(answer.status, 201, answer.text);
    await poll('the account of the namespace', 60_000, async () => {
      const account = await client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      return account.status === 200;
    });
  };

  it('helm test reads through the Service as the administrator', async () => {
    assert.match(await session.ok('test', 'main', '--timeout=120s'), /^Phase: +Succeeded$/m);
    assert.match(lastRun('main-orch-test').stdout, /nothing was changed/);
  });

  it('the renewal changes nothing that is valid, and restores a Secret that was changed', async () => {
    const { json } = await session.server.client.get(`${secrets}/main-orch-admin`);
    const secret = json as ApiObject;
    const changed = await session.server.client.put(`${secrets}/main-orch-admin`, { ...secret, data: {} });
    assert.equal(changed.status, 200, changed.text);
    await renewNow('renew-once');
    const { stdout, account } = lastRun('renew-once');
    assert.equal(account, 'main-orch-renewal');
    assert.match(stdout, /^secret\/main-orch-admin +updated$/m);
    assert.doesNotMatch(stdout, /renewed|created/);
  });

  it('the renewal cannot read, list, create or delete Secrets but those of the release', async () => {
    const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other' } };
    assert.equal((await session.server.client.post(secrets, other)).status, 201);
    const token = await node.tokenOf('main-orch-renewal');
    using client = new ApiClient({ ...session.server.config, cert: undefined, key: undefined, token });
    const stolen = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'stolen', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    };
    const answers = [
      await client.get(`${secrets}/other`),
      await client.get(secrets),
      await client.put(`${secrets}/other`, other),
      await client.post(secrets, stolen),
      await client.delete(`${secrets}/main-orch-init`),
      await client.get('/api/v1/namespaces/kube-system/secrets'),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 403),
    );
    assert.equal((await client.get(`${secrets}/main-orch-init`)).status, 200);
  });

  it('helm upgrade makes a step of a rotation, and restarts the programs', async () => {
    const earlier = await rotationOf();
    const notes = await session.ok(
      'upgrade',
      'main',
      chart,
      '--timeout=120s',
      '--set=certificates.rotation.clients=rotate',
    );
    assert.match(
      notes,
      /WARNING: the rotation of clients is not finished: its next step is .*clients=switch/,
    );
    const trusted = (await node.secret('main-orch-apiserver'))['client-ca.crt'] ?? '';
    assert.equal(trusted.match(/BEGIN CERTIFICATE/g)?.length, 2);
    assert.notEqual(await rotationOf(), earlier);
  });

  it('helm upgrade fails with the message of the job when a step comes too early', async () => {
    const { code, stderr } = await session.raw(
      'upgrade',
      'main',
      chart,
      '--timeout=20s',
      '--set=certificates.rotation.clients=switch',
    );
    assert.equal(code, 1);
    assert.match(stderr, /pre-upgrade hooks failed/);
    assert.match(node.runs.at(-1)?.stderr ?? '', /^orch init: .*--rotate-wait|^orch init: .*wait/);
    const trusted = (await node.secret('main-orch-apiserver'))['client-ca.crt'] ?? '';
    assert.equal(trusted.match(/BEGIN CERTIFICATE/g)?.length, 2);
  });

  it('a rotation ends with its third step, and further upgrades with that step change nothing', async () => {
    for (const step of ['switch', 'finish', 'finish']) {
      const earlier = (await node.secret('main-orch-apiserver'))['client-ca.crt'] ?? '';
      await session.ok(
        'upgrade',
        'main',
        chart,
        '--timeout=120s',
        `--set=certificates.rotation.clients=${step},certificates.job.extraArgs={--rotate-wait=0s}`,
      );
      const trusted = (await node.secret('main-orch-apiserver'))['client-ca.crt'] ?? '';
      const isDone = earlier.match(/BEGIN CERTIFICATE/g)?.length === 1;
      assert.equal(trusted.match(/BEGIN CERTIFICATE/g)?.length, step === 'switch' ? 2 : 1);
      if (isDone) assert.equal(trusted, earlier);
    }
  });

  it('helm rollback returns to the objects of the first revision', async () => {
    const upgraded = await rotationOf();
    await session.ok('rollback', 'main', '1', '--timeout=120s');
    assert.notEqual(await rotationOf(), upgraded);
  });

  it('the notes of helm name only what the values install', async () => {
    const notesOf = (...options: readonly string[]) =>
      session.ok('install', 'other', chart, '--dry-run', '--hide-secret', ...options);
    const set = (name: string) => `--values=${valueSets.get(name) ?? assert.fail(name)}`;
    const small = await notesOf(set('small'));
    assert.doesNotMatch(small, /deployment\/tiny-controllers|helm -n default test|secrets in the store/);
    assert.match(small, /WARNING: certificates are not renewed/);
    const external = await notesOf(set('external-etcd'));
    assert.doesNotMatch(external, /bundled etcd is meant|port-forward/);
    const separate = await notesOf(set('separate-secrets'));
    assert.match(separate, /WARNING: connections to etcd have no client certificate/);
    assert.match(separate, /with the credentials of your administrators/);
    assert.match(await notesOf(set('naming')), /WARNING: with a single replica/);
  });

  it('helm uninstall removes every object of the release and leaves the Secrets with keys', async () => {
    await session.ok('uninstall', 'main', '--timeout=120s');
    assert.equal((await session.server.client.get(deployment)).status, 404);
    for (const name of made) await session.get(`${secrets}/${name}`);
  });

  it('helm install over the Secrets of an earlier release keeps their keys', async () => {
    const earlier = await node.secret('main-orch-apiserver');
    await session.ok('install', 'main', chart, '--timeout=120s');
    const { stdout } = lastRun('main-orch-init');
    assert.doesNotMatch(stdout, /created/);
    assert.equal((await node.secret('main-orch-apiserver'))['encryption.yaml'], earlier['encryption.yaml']);
  });
});
