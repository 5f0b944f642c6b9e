import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { startEtcd } from '@orch/storage/testing';
import {
  type ApiResponse,
  type LaunchedServer,
  launchServer,
  podAddressOfMachine,
  representativeKubectls,
  temporaryFolder,
} from '@orch/testkit';
import { KubectlSession } from '../kubectl-session.ts';
import { SAMPLE_GROUP, SAMPLE_VERSION, SampleServer, sampleProgram } from './sample-server.ts';

const sample = await sampleProgram();
const kubectls = await representativeKubectls(join(import.meta.dirname, '../../..'));
const address = podAddressOfMachine();
const base = `/apis/${SAMPLE_GROUP}/${SAMPLE_VERSION}`;
const apiVersion = `${SAMPLE_GROUP}/${SAMPLE_VERSION}`;
const apiService = `/apis/apiregistration.k8s.io/v1/apiservices/${SAMPLE_VERSION}.${SAMPLE_GROUP}`;
const rbac = 'rbac.authorization.k8s.io';

// biome-ignore lint/suspicious/noExplicitAny: bodies of kinds that the test knows.
type Answer = ApiResponse & { readonly json: any };

const reason =
  sample.kind === 'missing'
    ? sample.reason
    : kubectls.length === 0
      ? 'no kubectl'
      : address === undefined
        ? 'this machine has no address besides loopback'
        : undefined;

if (sample.kind === 'missing' || address === undefined || reason !== undefined) {
  describe('extension API server over the Go library', () => {
    it.skip(`an extension API server over the Go library is served: ${reason}`, () => {});
  });
} else {
  describe('extension API server over the Go library', { timeout: 180_000 }, () => {
    const home = temporaryFolder();
    const sessions: KubectlSession[] = [];
    let etcd: Awaited<ReturnType<typeof startEtcd>>;
    let server: LaunchedServer;
    let extension: SampleServer;

    const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      (await server.client.get(path, { headers })) as Answer;
    const available = async () =>
      (await get(apiService)).json.status?.conditions?.find(
        ({ type }: { type: string }) => type === 'Available',
      ) ?? {};

    before(async () => {
      etcd = await startEtcd();
      server = await launchServer({
        ...{ program: 'orch', naming: 'kubernetes', requiresAccounts: false },
        args: ['--authorization-mode=RBAC'],
      });
      const { program } = sample;
      extension = await SampleServer.start({ server, address, etcd: etcd.endpoints, program: program.path });
      await extension.register();
      await eventually(
        () => get(`${base}/flunders`),
        ({ status }) => status === 200,
      );
      for (const [i, kubectl] of kubectls.entries())
        sessions.push(await KubectlSession.open(kubectl, server, home.path, `stars-${i}`));
    });
    after(async () => {
      await extension?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    });

    const flunder = (name: string) => ({ apiVersion, kind: 'Flunder', metadata: { name } });

    it('kubectl discovers, explains, creates, applies, lists, patches, watches and deletes its objects', async () => {
      for (const session of sessions) {
        assert.match(
          await session.ok('api-resources', `--api-group=${SAMPLE_GROUP}`),
          /flunders .*true +Flunder/,
        );
        assert.match(await session.ok('explain', 'flunders.spec'), /referenceType/);
        const watch = session.start('get', 'flunders', '--watch', '--output=name');
        try {
          await session.okWith(flunder('one'), 'create', '-f', '-');
          await watch.waitFor(/flunder\.wardle\.example\.com\/one/, 20_000);
          await session.apply({ ...flunder('two'), spec: { reference: 'one' } });
          await session.apply({ ...flunder('two'), spec: { reference: 'three' } });
          await watch.waitFor(/two[\s\S]*two/, 20_000);
          await session.ok('label', 'flunder', 'one', 'a=b');
        } finally {
          await watch[Symbol.asyncDispose]();
        }
        assert.match(await session.ok('get', 'flunders', '-l', 'a=b'), /^NAME +CREATED AT\none +\S+\n$/);
        const { spec } = await session.get('flunder', 'two');
        assert.deepEqual(spec, { reference: 'three', referenceType: 'Flunder' });
        await session.ok('delete', 'flunders', '--all');
        assert.deepEqual((await session.get('flunders')).items, []);
      }
    });

    it('answers of the sample server about existing objects that it does not permit arrive unchanged', async () => {
      const path = `${base}/namespaces/default/flunders`;
      assert.equal((await server.client.post(path, flunder('twice'))).status, 201);
      const { status, json } = (await server.client.post(path, flunder('twice'))) as Answer;
      assert.deepEqual([status, json.reason, json.details.kind], [409, 'AlreadyExists', 'flunders']);
      const fischer = {
        apiVersion,
        kind: 'Fischer',
        metadata: { name: 'f' },
        disallowedFlunders: ['banned'],
      };
      assert.equal((await server.client.post(`${base}/fischers`, fischer)).status, 201);
      // Admission of the sample server reads fischers from a cache.
      await eventually(
        () => server.client.post(path, flunder('banned'), {}),
        ({ status }) => status === 403,
      );
    });

    it('the authorization of the sample server follows the roles of the API server for proxied users', async () => {
      const namespace = `/apis/${rbac}/v1/namespaces/default`;
      const rule = { apiGroups: [SAMPLE_GROUP], resources: ['flunders'], verbs: ['list'] };
      await server.client.post(`${namespace}/roles`, { metadata: { name: 'lister' }, rules: [rule] });
      await server.client.post(`${namespace}/rolebindings`, {
        metadata: { name: 'lister' },
        subjects: [{ apiGroup: rbac, kind: 'User', name: 'jane' }],
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'lister' },
      });
      const jane = { 'impersonate-user': 'jane' };
      await eventually(
        () => get(`${base}/namespaces/default/flunders`, jane),
        ({ status }) => status === 200,
      );
      assert.equal((await get(`${base}/flunders`, jane)).status, 403);
    });

    it('the sample server authenticates tokens of the API server, and no forged header fields', async () => {
      const account = '/api/v1/namespaces/default/serviceaccounts';
      await server.client.post(account, { metadata: { name: 'direct' } });
      const issued = (await server.client.post(`${account}/direct/token`, {})) as Answer;
      using holder = extension.client(issued.json.status.token);
      using anonymous = extension.client();
      const forged = { headers: { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' } };
      const answers = [
        await holder.get(`${base}/flunders`),
        await anonymous.get(`${base}/flunders`, forged),
        await anonymous.get(`${base}/flunders`, { headers: { authorization: 'Bearer wrong' } }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [403, 403, 401],
      );
      assert.match(answers[0]?.text ?? '', /system:serviceaccount:default:direct/);
      assert.match(answers[1]?.text ?? '', /system:anonymous/);
    });

    it('while it is down its requests fail with 503, its API service says why, and other groups are served', async () => {
      await extension.kill();
      const condition = await eventually(available, ({ status }) => status === 'False');
      assert.equal(condition.reason, 'FailedDiscoveryCheck');
      const { status, json } = await get(`${base}/flunders`);
      assert.deepEqual([status, json.reason], [503, 'ServiceUnavailable']);
      for (const session of sessions) {
        assert.match(await session.ok('get', 'configmaps', '-o', 'name'), /root-ca/);
        const { code, stdout } = await session.raw(['api-resources', '-o', 'name']);
        assert.match(stdout, /^deployments\.apps$/m, `exit code ${code}`);
      }
    });

    it('after its restart it is available with the objects that it has stored', async () => {
      await extension.restart();
      await eventually(available, ({ status }) => status === 'True', 60_000);
      for (const session of sessions)
        assert.match(await session.ok('get', 'fischers', '-o', 'name'), /\/f$/m);
    });
  });
}
