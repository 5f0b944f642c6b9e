import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { startEtcd } from '@orch/storage/testing';
import { type ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, item, podObject, pods, refused } from '../api/fixture.ts';

const core = '/api/v1/namespaces';

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly volumes?: readonly { readonly name: string; readonly [source: string]: unknown }[];
  readonly containers: readonly { readonly volumeMounts?: readonly Readonly<Record<string, unknown>>[] }[];
}

const specOf = (answer: ApiResponse): PodSpec => item(expectCode(201, answer)).spec as unknown as PodSpec;

const account = (name: string, fields: object = {}, annotations: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, annotations },
  ...fields,
});

const patch = (client: ApiClient, path: string, body: object): Promise<ApiResponse> =>
  client.send('PATCH', path, { body, contentType: 'application/strategic-merge-patch+json' });

const words = {
  orch: { prefix: 'orch-api-access-', path: '/var/run/secrets/orch.io/serviceaccount', domain: 'orch.io' },
  kubernetes: {
    prefix: 'kube-api-access-',
    path: '/var/run/secrets/kubernetes.io/serviceaccount',
    domain: 'kubernetes.io',
  },
} as const;

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`service accounts of pods with controllers (${naming})`, { timeout: 120_000 }, () => {
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({ program: 'orch', naming });
    });
    after(() => server[Symbol.asyncDispose]());

    it(`a pod that is created moments after its namespace runs as the default account (${naming})`, async () => {
      for (let i = 0; i < 10; i++) {
        const namespace = `moment-${i}`;
        await create(server.client, core, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: namespace },
        });
        const spec = specOf(await server.client.post(`${core}/${namespace}/pods`, podObject('p')));
        assert.equal(spec.serviceAccountName, 'default');
      }
    });

    it(`a pod gets a token volume by create, apply and dry run (${naming})`, async () => {
      const { prefix, path } = words[naming];
      const apply = (name: string): Promise<ApiResponse> =>
        server.client.send('PATCH', `${pods}/${name}?fieldManager=t`, {
          body: podObject(name),
          contentType: 'application/apply-patch+yaml',
        });
      for (const answer of [
        await server.client.post(pods, podObject('created')),
        await apply('applied'),
        await server.client.post(`${pods}?dryRun=All`, podObject('dry')),
      ]) {
        const { volumes = [], containers } = specOf(answer);
        const [volume] = volumes;
        assert.ok(volume);
        assert.ok(volume.name.startsWith(prefix), answer.text);
        assert.deepEqual(containers[0]?.volumeMounts, [
          { name: volume.name, readOnly: true, mountPath: path },
        ]);
      }
      expectCode(200, await apply('applied'));
      expectCode(200, await patch(server.client, `${pods}/created`, { metadata: { labels: { a: 'b' } } }));
    });

    it(`a pod gets what its account has, and is refused without the account (${naming})`, async () => {
      const accounts = `${core}/default/serviceaccounts`;
      const quiet = { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] };
      await create(server.client, accounts, account('quiet', quiet));
      const spec = specOf(
        await server.client.post(pods, podObject('quiet', {}, { serviceAccountName: 'quiet' })),
      );
      assert.equal(spec.volumes, undefined);
      assert.deepEqual(spec.imagePullSecrets, [{ name: 'pull' }]);
      const answer = await server.client.post(pods, podObject('none', {}, { serviceAccountName: 'none' }));
      const { message } = refused(answer, 403, 'Forbidden');
      assert.match(
        message,
        /error looking up service account default\/none: serviceaccount "none" not found$/,
      );
    });

    it(`a pod of an account that restricts secrets uses no others, also in ephemeral containers (${naming})`, async () => {
      const annotation = `${words[naming].domain}/enforce-mountable-secrets`;
      const accounts = `${core}/default/serviceaccounts`;
      await create(server.client, accounts, account('strict', {}, { [annotation]: 'true' }));
      const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }];
      const container = { name: 'main', image: 'registry.example/app:1' };
      const strict = { serviceAccountName: 'strict' };
      for (const [spec, place] of [
        [{ ...strict, containers: [{ ...container, env }] }, 'container main with envVar E'],
        [{ ...strict, volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'volume with'],
      ] as const)
        for (const query of ['', '?dryRun=All']) {
          const answer = await server.client.post(pods + query, podObject('strict', {}, spec));
          assert.ok(refused(answer, 403, 'Forbidden').message.includes(place), answer.text);
        }
      specOf(await server.client.post(pods, podObject('strict', {}, strict)));
      const ephemeral = (fields: object): Promise<ApiResponse> =>
        patch(server.client, `${pods}/strict/ephemeralcontainers`, {
          spec: { ephemeralContainers: [{ ...container, name: 'debug', ...fields }] },
        });
      const { message } = refused(await ephemeral({ env }), 403, 'Forbidden');
      assert.match(message, /ephemeral container debug with envVar E referencing secret\.secretName="s"/);
      expectCode(200, await ephemeral({}));
    });
  });

describe('service accounts of pods in release 1.20', { timeout: 120_000 }, () => {
  it('a pod gets the token secret of its account, and a projected volume with the feature gate', async () => {
    for (const [gates, source] of [
      [[], 'secret'],
      [['--feature-gates=BoundServiceAccountTokenVolume=true'], 'projected'],
    ] as const) {
      await using server = await launchServer({
        program: 'orch',
        args: ['--emulated-version=1.20', ...gates],
      });
      // A client sends the pod again while the account has no token.
      const created = await eventually(
        () => server.client.post(pods, podObject('p')),
        ({ status }) => status !== 500,
      );
      const [volume] = specOf(created).volumes ?? [];
      assert.equal(volume !== undefined && source in volume, true, created.text);
    }
  });
});

describe('service accounts of pods without controllers', { timeout: 120_000 }, () => {
  it('an API server alone refuses pods until their account is created, or with the plugin disabled admits them', async () => {
    await using server = await launchServer({ requiresAccounts: true });
    const { message } = refused(await server.client.post(pods, podObject('p')), 403, 'Forbidden');
    assert.match(message, /serviceaccount "default" not found$/);
    await create(server.client, `${core}/default/serviceaccounts`, account('default'));
    specOf(await server.client.post(pods, podObject('p')));
    await using open = await launchServer();
    assert.equal(specOf(await open.client.post(pods, podObject('p'))).serviceAccountName, undefined);
  });

  it('an account that another replica has just created is found', async () => {
    await using etcd = await startEtcd();
    const options = { etcd: etcd.endpoints, requiresAccounts: true, args: ['--separate-credentials'] };
    await using one = await launchServer(options);
    await using other = await launchServer(options);
    for (let i = 0; i < 20; i++) {
      const name = `a-${i}`;
      await create(one.client, `${core}/default/serviceaccounts`, account(name));
      const pod = podObject(name, {}, { serviceAccountName: name });
      assert.equal(specOf(await other.client.post(pods, pod)).serviceAccountName, name);
    }
  });
});
