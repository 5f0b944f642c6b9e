import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiObject, builtinResources, createClient, isForbidden, isNotFound } from '@orch/client';
import { namesFor, namings } from '@orch/machinery';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';
import { redirected } from './test-webhooks.ts';

const service = (path: string) => ({ service: { namespace: 'system', name: 'webhooks', path } });
const rules = (resource: string, group = '', apiVersions = ['v1']) => [
  { apiGroups: [group], apiVersions, operations: ['CREATE'], resources: [resource] },
];

for (const naming of namings)
  describe(`webhooks of a test (${naming})`, { timeout: 170_000 }, () => {
    const names = namesFor(naming);
    const configuration = (kind: string, path: string): ApiObject => ({
      apiVersion: names.apiVersion('admissionregistration', 'v1'),
      kind,
      metadata: { name: path.slice(1) },
      webhooks: [
        {
          name: `${path.slice(1)}.example.com`,
          clientConfig: service(path),
          rules: rules('configmaps'),
          namespaceSelector: { matchLabels: { [names.labels.metadataName]: 'default' } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const definition: ApiObject = {
      apiVersion: names.apiVersion('apiextensions', 'v1'),
      kind: 'CustomResourceDefinition',
      metadata: { name: 'colours.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'colours', kind: 'Colour' },
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: service('/convert'), conversionReviewVersions: ['v1'] },
        },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: {
            openAPIV3Schema: { type: 'object', properties: { [name]: { type: 'string' } } },
          },
        })),
      },
    };
    let plane: ControlPlane;
    const maps = (of = plane) => {
      const client = createClient(of.config);
      return client.resource(builtinResources(client.names).core.v1.configmaps, 'default');
    };
    before(async () => {
      plane = await startControlPlane({
        naming,
        crds: [definition],
        webhooks: {
          admission: {
            '/validate': ({ name }) =>
              name === 'bad' ? { allowed: false, message: 'it is bad' } : { allowed: true },
          },
          conversion: { '/convert': ({ v1, v2, ...rest }) => ({ ...rest, v1: v1 ?? v2, v2: v2 ?? v1 }) },
          configurations: [configuration('ValidatingWebhookConfiguration', '/validate')],
        },
      });
    });
    after(() => plane?.stop());

    it('a validating webhook of the options decides about the first write', async () => {
      await assert.rejects(
        maps().create({ metadata: { name: 'bad' } }),
        (error: Error) => isForbidden(error) && /it is bad/.test(error.message),
      );
      await maps().create({ metadata: { name: 'good' } });
    });

    it('a conversion webhook of the options converts custom resources', async () => {
      const client = createClient(plane.config);
      const colours = (version: string) =>
        client.resource(
          { group: 'example.com', version, resource: 'colours', kind: 'Colour', namespaced: true },
          'default',
        );
      await colours('v1').create({ metadata: { name: 'sky' }, v1: 'blue' });
      assert.equal((await colours('v2').get('sky'))['v2'], 'blue');
    });

    it('a webhook that is registered later works until the next reset, in forks as well', async () => {
      await plane.serveWebhooks({
        admission: {
          '/mutate': ({ object }) => ({
            allowed: true,
            ...(object !== null && { object: { ...object, data: { set: 'yes' } } }),
          }),
        },
        configurations: [configuration('MutatingWebhookConfiguration', '/mutate')],
      });
      assert.deepEqual((await maps().create({ metadata: { name: 'a' } })).data, { set: 'yes' });
      const fork = await plane.fork();
      assert.deepEqual((await maps(fork).create({ metadata: { name: 'b' } })).data, { set: 'yes' });
      await fork.stop();
      await plane.reset();
      const later = await plane.eventually(
        configuration('MutatingWebhookConfiguration', '/mutate'),
        (now) => now === undefined,
      );
      assert.equal(later, undefined);
      assert.equal((await maps().create({ metadata: { name: 'c' } })).data, undefined);
      await assert.rejects(maps().get('a'), isNotFound);
    });

    it('a configuration with a webhook that has no handler is refused', async () => {
      await assert.rejects(
        plane.serveWebhooks({ configurations: [configuration('ValidatingWebhookConfiguration', '/none')] }),
        { name: 'TypeError', message: /the webhook \/none has no handler in the test/ },
      );
    });
  });

describe('the address of a webhook', () => {
  it('the path of a URL or a service is kept, and everything else is replaced', () => {
    const address = { origin: 'https://127.0.0.1:1', authority: 'ca', paths: new Set(['/a', '/']) };
    const expected = (path: string) => ({ url: `https://127.0.0.1:1${path}`, caBundle: 'Y2E=' });
    for (const [config, path] of [
      [{ url: 'https://elsewhere.example.com:8443/a' }, '/a'],
      [service('/a'), '/a'],
      [{ service: { name: 'a', namespace: 'b' } }, '/'],
    ] as const)
      assert.deepEqual(redirected({ webhooks: [{ clientConfig: config, name: 'n' }] }, address), {
        webhooks: [{ clientConfig: expected(path), name: 'n' }],
      });
  });
});
