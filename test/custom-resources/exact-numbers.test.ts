import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText, parseJson } from '@orch/machinery/json';
import { admissionAnswer, patching, type Review, sendJson, WebhookServer } from '@orch/server/testing';
import { type EtcdCluster, startEtcd, type TempDir, tempDir } from '@orch/storage/testing';
import { type ApiResponse, type LaunchedServer, launchServer, run } from '@orch/testkit';

const names = namesFor('orch');
const GROUP = 'exact.example.com';
const definitions = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
const counters = (version = 'v1', name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/counters${name === '' ? '' : `/${name}`}`;

/** Numbers that no double holds: the nearest doubles are their neighbours. */
const FIRST = '9007199254740993';
const SECOND = '9223372036854775807';
const DEFAULT = '-9007199254740993';
const number = numberFromText;

const text = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const struct = (properties: object): object => ({ type: 'object', properties });
const versionOf = (name: string, field: string): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: struct({
      spec: struct({ [field]: int64, least: { ...int64, default: number(DEFAULT) }, text }),
      status: struct({ seen: int64 }),
    }),
  },
  subresources: { status: {} },
  selectableFields: [{ jsonPath: `.spec.${field}` }],
  additionalPrinterColumns: [{ name: 'Count', type: 'integer', jsonPath: `.spec.${field}` }],
});

const counter = (version: string, name: string, spec: object): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'Counter',
  metadata: { name },
  spec,
});

/** `count` of `v1` is `total` of `v2`. */
function convert({ spec, ...object }: Review, apiVersion: string): Review {
  const { count, total, ...rest } = spec;
  return {
    ...object,
    apiVersion,
    spec: { [apiVersion.endsWith('v2') ? 'total' : 'count']: count ?? total, ...rest },
  };
}

/** Converts objects, and admits them; those with the text `set` get a number. The bodies are read exactly. */
const startWebhook = (): Promise<WebhookServer> =>
  WebhookServer.start((review, response) => {
    if (review.kind === 'AdmissionReview') {
      const { spec } = review.request.object;
      const patch = patching({ op: 'add', path: '/spec/count', value: number(SECOND) });
      sendJson(response, admissionAnswer(review, spec?.text === 'set' ? patch : {}));
      return;
    }
    const { uid, objects, desiredAPIVersion } = review.request;
    const convertedObjects = objects.map((one: Review) => convert(one, desiredAPIVersion));
    const { apiVersion, kind } = review;
    sendJson(response, {
      apiVersion,
      kind,
      response: { uid, result: { status: 'Success' }, convertedObjects },
    });
  });

for (const backend of ['embedded', 'etcd'] as const)
  describe(`64-bit numbers of custom objects in servers on ${backend}`, { timeout: 180_000 }, () => {
    const stack = new AsyncDisposableStack();
    let work: TempDir;
    let etcd: EtcdCluster | undefined;
    let webhook: WebhookServer;
    let server: LaunchedServer;
    const launch = (dataDir = join(work.path, 'data')): Promise<LaunchedServer> =>
      launchServer({
        certDir: join(work.path, 'certs'),
        args: ['--history-retention=1h', '--runtime-config=api/all=true'],
        ...(etcd === undefined ? { dataDir } : { etcd: etcd.endpoints }),
      });
    const send = (method: string, path: string, options: object = {}): Promise<ApiResponse> =>
      server.client.send(method, path, options);
    const shows = (answer: ApiResponse, ...fields: readonly string[]): void => {
      assert.ok(answer.status === 200 || answer.status === 201, `${answer.status} ${answer.text}`);
      for (const field of fields) assert.ok(answer.text.includes(field), `${field}: ${answer.text}`);
    };

    before(async () => {
      work = stack.use(await tempDir('orch-exact-'));
      if (backend === 'etcd') etcd = stack.use(await startEtcd());
      webhook = stack.use(await startWebhook());
      server = await launch();
      stack.defer(() => server[Symbol.asyncDispose]());
      const clientConfig = { url: webhook.url, caBundle: webhook.caBundle };
      const created = await send('POST', definitions, {
        body: {
          apiVersion: names.apiVersion('apiextensions', 'v1'),
          kind: 'CustomResourceDefinition',
          metadata: { name: `counters.${GROUP}` },
          spec: {
            group: GROUP,
            scope: 'Namespaced',
            names: { plural: 'counters', kind: 'Counter' },
            versions: [versionOf('v1', 'count'), versionOf('v2', 'total')],
            conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
          },
        },
      });
      assert.equal(created.status, 201, created.text);
      const deadline = AbortSignal.timeout(30_000);
      while ((await send('GET', counters())).status !== 200) deadline.throwIfAborted();
    });
    after(() => stack.disposeAsync());

    it('64-bit numbers of custom objects in servers are exact in writes, reads, tables and selections of the stored version', async () => {
      const both = [`"count":${FIRST}`, `"least":${DEFAULT}`];
      shows(await send('POST', counters(), { body: counter('v1', 'a', { count: number(FIRST) }) }), ...both);
      shows(await send('GET', counters('v1', 'a')), ...both);
      shows(await send('GET', counters()), ...both);
      shows(await send('GET', `${counters()}?fieldSelector=spec.count%3D${FIRST}`), ...both);
      const accept = `application/json;as=Table;v=v1;g=${names.group('meta')}`;
      shows(await send('GET', counters(), { headers: { accept } }), `"cells":["a",${FIRST}`);
      const status = { ...(parseJson(Buffer.from((await send('GET', counters('v1', 'a'))).text)) as object) };
      shows(
        await send('PUT', `${counters('v1', 'a')}/status`, {
          body: { ...status, status: { seen: number(SECOND) } },
        }),
        `"seen":${SECOND}`,
        ...both,
      );
    });

    it('64-bit numbers of custom objects in servers are exact in what a webhook converts, in both directions', async () => {
      shows(
        await send('GET', counters('v2', 'a')),
        `"total":${FIRST}`,
        `"least":${DEFAULT}`,
        `"seen":${SECOND}`,
      );
      shows(await send('GET', counters('v2')), `"total":${FIRST}`);
      shows(
        await send('POST', counters('v2'), { body: counter('v2', 'b', { total: number(SECOND) }) }),
        `"total":${SECOND}`,
      );
      shows(await send('GET', counters('v1', 'b')), `"count":${SECOND}`);
      shows(
        await send('PATCH', counters('v2', 'b'), {
          body: [
            { op: 'test', path: '/spec/total', value: number(SECOND) },
            { op: 'replace', path: '/spec/total', value: number(FIRST) },
          ],
          contentType: 'application/json-patch+json',
        }),
        `"total":${FIRST}`,
      );
      assert.ok(JSON.stringify(webhook.reviews.at(-1)).includes(FIRST));
    });

    it('64-bit numbers of custom objects in servers are exact in what an admission webhook reads and writes, and in policies', async () => {
      const admission = names.apiVersion('admissionregistration', 'v1');
      const rule = {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: [GROUP],
        apiVersions: ['v1'],
        resources: ['counters'],
      };
      const configured = await send('POST', `/apis/${admission}/mutatingwebhookconfigurations`, {
        body: {
          metadata: { name: 'numbers' },
          webhooks: [
            {
              name: 'w.example.com',
              clientConfig: { url: webhook.url, caBundle: webhook.caBundle },
              rules: [rule],
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
            },
          ],
        },
      });
      assert.equal(configured.status, 201, configured.text);
      shows(
        await send('POST', counters(), { body: counter('v1', 'c', { count: number(FIRST), text: 'set' }) }),
        `"count":${SECOND}`,
      );
      const review = webhook.reviews.findLast(({ kind }) => kind === 'AdmissionReview');
      assert.ok(JSON.stringify(review.request.object).includes(`"count":${FIRST}`));
      const expression = `object.spec.count != ${FIRST}`;
      for (const [resource, spec] of [
        ['policies', { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] }],
        ['policybindings', { policyName: 'numbers', validationActions: ['Deny'] }],
      ] as const) {
        const body = { metadata: { name: 'numbers' }, spec };
        const made = await send('POST', `/apis/${admission}/validatingadmission${resource}`, { body });
        assert.equal(made.status, 201, made.text);
      }
      const deadline = AbortSignal.timeout(30_000);
      const write = (count: string): Promise<ApiResponse> =>
        send('POST', `${counters()}?dryRun=All`, { body: counter('v1', 'd', { count: number(count) }) });
      let refused = await write(FIRST);
      for (; refused.status === 201; refused = await write(FIRST)) deadline.throwIfAborted();
      assert.equal(refused.status, 422, refused.text);
      for (const neighbour of ['9007199254740992', '9007199254740994'])
        assert.equal((await write(neighbour)).status, 201, neighbour);
      await send('DELETE', `/apis/${admission}/validatingadmissionpolicybindings/numbers`);
      await send('DELETE', `/apis/${admission}/mutatingwebhookconfigurations/numbers`);
    });

    it('64-bit numbers of custom objects in servers are exact in events of watches, from the start and later', async () => {
      const { json } = await send('GET', `${counters()}?limit=1`);
      const { resourceVersion } = (json as { readonly metadata: { readonly resourceVersion: string } })
        .metadata;
      await send('POST', counters(), { body: counter('v1', 'w', { count: number(FIRST) }) });
      await send('PATCH', counters('v1', 'w'), {
        body: { spec: { count: number(SECOND) } },
        contentType: 'application/merge-patch+json',
      });
      assert.equal((await send('DELETE', counters('v1', 'w'))).status, 200);
      for (const [version, field] of [
        ['v1', 'count'],
        ['v2', 'total'],
      ] as const) {
        const initial = await send('GET', `${counters(version)}?watch=true&timeoutSeconds=1`);
        assert.match(initial.text, new RegExp(`"type":"ADDED".*"name":"a".*"${field}":${FIRST}`));
        const later = await send(
          'GET',
          `${counters(version)}?watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`,
        );
        const events = later.text.trimEnd().split('\n');
        for (const [type, count] of [
          ['ADDED', FIRST],
          ['MODIFIED', SECOND],
          ['DELETED', SECOND],
        ] as const)
          assert.ok(
            events.some((one) => one.startsWith(`{"type":"${type}"`) && one.includes(`"${field}":${count}`)),
            `${type} ${version}: ${later.text}`,
          );
      }
    });

    it('64-bit numbers of custom objects in servers are exact in the history of objects, and in the commands about it', async () => {
      await send('PATCH', counters('v1', 'a'), {
        body: { spec: { count: number(SECOND) } },
        contentType: 'application/merge-patch+json',
      });
      const orchctl = async (...args: readonly string[]): Promise<string> => {
        const program = join(import.meta.dirname, '..', '..', 'bin', 'orchctl');
        const { stdout } = await run(program, [...args, `--kubeconfig=${server.adminConfig}`]);
        return stdout;
      };
      const changes = JSON.parse(
        await orchctl('history', 'counters.v1.exact.example.com', 'a', '-o', 'json'),
      ).changes;
      const before = changes.find((one: { readonly change: string }) => one.change === 'created').revision;
      assert.match(
        await orchctl('get', `counters.v1.${GROUP}`, 'a', `--at=${before}`, '-o', 'json'),
        new RegExp(`"count": ${FIRST}`),
      );
      const diff = await orchctl('diff', `counters.v1.${GROUP}`, 'a', `--at=${before}`);
      assert.ok(diff.includes(FIRST) && diff.includes(SECOND), diff);
    });

    it('64-bit numbers of custom objects in servers are exact after a restart of the server', async () => {
      await server.stop();
      server = await launch();
      shows(await send('GET', counters('v1', 'a')), `"count":${SECOND}`, `"least":${DEFAULT}`);
      shows(await send('GET', counters('v2')), `"total":${SECOND}`, `"total":${FIRST}`);
    });

    it('64-bit numbers of custom objects in servers are exact in a server that was restored from a backup', async () => {
      await server.stop();
      const orch = join(import.meta.dirname, '..', '..', 'bin', 'orch');
      const file = join(work.path, 'backup');
      const restored = join(work.path, 'restored');
      const source =
        etcd === undefined
          ? `--data-dir=${join(work.path, 'data')}`
          : `--etcd-servers=${etcd.endpoints.join(',')}`;
      for (const args of [
        ['backup', file, source],
        ['restore', file, `--data-dir=${restored}`],
      ]) {
        const { code, stderr } = await run(orch, args);
        assert.equal(code, 0, stderr);
      }
      etcd = undefined;
      server = await launch(restored);
      shows(await send('GET', counters('v1', 'a')), `"count":${SECOND}`, `"least":${DEFAULT}`);
      shows(await send('GET', counters('v2', 'b')), `"total":${FIRST}`);
    });
  });
