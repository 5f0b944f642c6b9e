import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, isApiError, isForbidden, type Resource, runManager } from '@orch/client';
import { webhookServer } from '@orch/client/webhooks';
import { type ApiObject, namesFor } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { eventually } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { type ControlPlane, startControlPlane } from '@orch/testing';
import { temporaryFolder } from '@orch/testkit';

const GROUP = 'example.com';
const widgets = (version: string): Resource => ({
  ...{ group: GROUP, version, resource: 'widgets', kind: 'Widget', namespaced: true },
});
const schema = {
  openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' }, width: { type: 'integer' } } },
};
const version = (name: string): object => ({ name, served: true, storage: name === 'v1', schema });

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`the webhook server of a manager, with ${naming} names`, { timeout: 120_000 }, () => {
    const names = namesFor(naming);
    const authority = testCertificate({ commonName: 'widgets', use: 'authority' });
    const tls = testCertificate({ commonName: 'widgets', use: 'server', hosts: ['127.0.0.1'] }, authority);
    const folder = temporaryFolder();
    const stop = new AbortController();
    let plane: ControlPlane;
    let client: Client;
    let managing: Promise<void>;

    const file = (name: string, text: string): string => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      return path;
    };
    const maps = () =>
      client.resource(
        { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true },
        'default',
      );
    const configure = async (resource: string, kind: string, path: string): Promise<void> => {
      const port = await listening.promise;
      const group = names.group('admissionregistration');
      await client.resource({ group, version: 'v1', resource, kind, namespaced: false }).create({
        metadata: { name: 'widgets' },
        webhooks: [
          {
            name: 'widgets.example.com',
            clientConfig: clientConfig(port, path),
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
            ],
            objectSelector: { matchExpressions: [{ key: 'checked', operator: 'Exists' }] },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      });
    };
    const clientConfig = (port: number, path: string): object => ({
      url: `https://127.0.0.1:${port}${path}`,
      caBundle: Buffer.from(authority.cert).toString('base64'),
    });
    const listening = deferred<number>();

    before(async () => {
      plane = await startControlPlane({ naming, controllers: false });
      client = createClient(plane.config);
      const webhooks = webhookServer({
        ...{ port: 0, host: '127.0.0.1', onListening: listening.resolve },
        tls: { certFile: file('tls.crt', tls.cert), keyFile: file('tls.key', tls.key) },
        admission: {
          '/validate': ({ object }) =>
            object?.metadata.labels?.['checked'] === 'bad'
              ? { allowed: false, message: 'the label is bad' }
              : { allowed: true },
          '/mutate': ({ object }) => {
            if (object === null) return { allowed: true };
            object.metadata.annotations = { ...object.metadata.annotations, 'example.com/by': 'webhook' };
            return { allowed: true, object };
          },
        },
        conversion: {
          '/convert': ({ size, width, ...object }, desired) => ({
            ...object,
            [desired.endsWith('v2') ? 'width' : 'size']: size ?? width,
          }),
        },
      });
      managing = runManager(
        {
          name: 'widgets',
          config: plane.config,
          servers: [webhooks],
          controllers: () => [],
        },
        stop.signal,
      );
      await Promise.race([listening.promise, managing]);
      await configure('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', '/validate');
      await configure('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', '/mutate');
    });
    after(async () => {
      stop.abort();
      await managing;
      await plane.stop();
      folder[Symbol.dispose]();
    });

    it('the webhooks of a manager change and deny writes', async () => {
      const create = (checked: string): Promise<ApiObject> =>
        maps().create({ metadata: { generateName: 'a-', labels: { checked } }, data: { a: '1' } });
      // Configurations apply a moment after they are written.
      const made = await eventually(
        () => create('good'),
        ({ metadata }) => metadata.annotations !== undefined,
      );
      assert.deepEqual(
        [made.metadata.annotations, made['data']],
        [{ 'example.com/by': 'webhook' }, { a: '1' }],
      );
      const refused = await eventually(
        () => create('bad').catch((error: unknown) => error),
        (outcome) => isApiError(outcome),
      );
      assert.match(String(refused), /the label is bad/);
      assert.equal(isForbidden(refused), true);
    });

    it('the webhooks of a manager convert custom resources', async () => {
      const group = names.group('apiextensions');
      const definitions = { group, version: 'v1', resource: 'customresourcedefinitions', namespaced: false };
      await client.resource({ ...definitions, kind: 'CustomResourceDefinition' }).create({
        metadata: { name: `widgets.${GROUP}` },
        spec: {
          ...{ group: GROUP, scope: 'Namespaced', versions: [version('v1'), version('v2')] },
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: clientConfig(await listening.promise, '/convert'),
            },
          },
        },
      });
      const create = (): Promise<ApiObject | undefined> =>
        client
          .resource(widgets('v1'), 'default')
          .create({ metadata: { name: 'a', labels: { kept: 'yes' } }, size: 3 })
          .catch(() => undefined);
      await eventually(create, (made) => made !== undefined);
      const { size, width, metadata } = await client.resource(widgets('v2'), 'default').get('a');
      assert.deepEqual([size, width, metadata.labels], [undefined, 3, { kept: 'yes' }]);
    });
  });

describe('the webhook program of the manual', () => {
  it('the webhook program of docs/client.md is the one that is compiled in examples', () => {
    const root = join(import.meta.dirname, '..', '..');
    const program = readFileSync(join(root, 'examples', 'widget-webhooks', 'main.ts'), 'utf8');
    assert.ok(readFileSync(join(root, 'docs', 'client.md'), 'utf8').includes(`\`\`\`ts\n${program}\`\`\`\n`));
  });
});
