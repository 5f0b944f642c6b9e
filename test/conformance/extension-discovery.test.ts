import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ExtensionServer, json } from '@orch/aggregation/testing';
import { type Naming, namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import {
  type LaunchedServer,
  launchServer,
  podAddressOfMachine,
  registerExtension,
  representativeKubectls,
  run,
} from '@orch/testkit';

const kubectls = await representativeKubectls(join(import.meta.dirname, '../..'));
const address = podAddressOfMachine();
const ifAddress = address === undefined ? { skip: 'this machine has no address besides loopback' } : {};

const GROUP = 'gadgets.example.com';
const base = `/apis/${GROUP}/v1`;
const KIND = { group: GROUP, version: 'v1', kind: 'Gadget' };
const DEFINITION = 'com.example.gadgets.v1.Gadget';

/** The documents that the server publishes about its only resource. */
function documentsOf(naming: Naming, releaseOfGadgets: string): ReadonlyMap<string, object> {
  const { schemaExtensions } = namesFor(naming);
  const definition = {
    type: 'object',
    description: `A gadget of release ${releaseOfGadgets}.`,
    properties: {
      apiVersion: { type: 'string', description: 'Group and version.' },
      kind: { type: 'string', description: 'Kind of the object.' },
      teeth: { type: 'integer', format: 'int32', description: 'Number of teeth.' },
    },
    [schemaExtensions.groupVersionKind]: [KIND],
  };
  const schema = (ref: string) => ({ $ref: `#/${ref}/${DEFINITION}` });
  const operation = {
    description: 'read a gadget',
    operationId: 'readGadget',
    [schemaExtensions.action]: 'get',
    [schemaExtensions.groupVersionKind]: KIND,
  };
  const path = `${base}/namespaces/{namespace}/gadgets/{name}`;
  const ok = { description: 'OK' };
  const response = { ...ok, schema: schema('definitions') };
  const content = { 'application/json': { schema: schema('components/schemas') } };
  const info = { title: 'gadgets', version: 'v1' };
  const url = `/openapi/v3${base}?hash=${releaseOfGadgets}`;
  return new Map<string, object>([
    [
      base,
      {
        ...{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${GROUP}/v1` },
        resources: [
          {
            ...{ name: 'gadgets', singularName: 'gadget', shortNames: ['gd'], kind: 'Gadget' },
            ...{ namespaced: true, verbs: ['get', 'list'] },
          },
        ],
      },
    ],
    [
      '/openapi/v2',
      {
        ...{ swagger: '2.0', info, definitions: { [DEFINITION]: definition } },
        paths: { [path]: { get: { ...operation, responses: { 200: response } } } },
      },
    ],
    ['/openapi/v3', { paths: { [base.slice(1)]: { serverRelativeURL: url } } }],
    [
      url,
      {
        ...{ openapi: '3.0.0', info, components: { schemas: { [DEFINITION]: definition } } },
        paths: { [path]: { get: { ...operation, responses: { 200: { ...ok, content } } } } },
      },
    ],
  ]);
}

function publish(extension: ExtensionServer, naming: Naming, releaseOfGadgets: string): void {
  for (const [path, body] of documentsOf(naming, releaseOfGadgets)) extension.documents.set(path, { body });
}

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`an extension API server in discovery and OpenAPI with the names of ${naming}`, {
    timeout: 180_000,
    ...ifAddress,
  }, () => {
    let server: LaunchedServer;
    let extension: ExtensionServer;

    before(async () => {
      server = await launchServer({ naming });
      extension = await ExtensionServer.start({
        hosts: ['gadgets.default.svc'],
        ...(address === undefined ? {} : { address }),
        answer: ({ url }, response) =>
          json(response, extension.documents.get(url.split('?')[0] ?? '')?.body ?? { kind: 'Answer' }),
      });
      publish(extension, naming, 'one');
      await registerExtension(server.client, naming, {
        ...{ name: 'gadgets', address: address ?? '', port: extension.port },
        ...{ group: GROUP, version: 'v1', caBundle: extension.caBundle },
      });
      await eventually(freshness, (current) => current === 'Current');
      await eventually(explained, (text) => text.includes('release one'));
    });
    after(async () => {
      await extension?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    async function freshness(): Promise<string | undefined> {
      const group = namesFor(naming).group('apidiscovery');
      const accept = `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
      const answer = await server.client.send('GET', '/apis', { headers: { accept } });
      const { items } = answer.json as {
        readonly items: readonly {
          readonly metadata: { readonly name: string };
          readonly versions: readonly { readonly freshness: string }[];
        }[];
      };
      return items.find(({ metadata }) => metadata.name === GROUP)?.versions[0]?.freshness;
    }

    /** The document of version 2, in which each change arrives last. */
    const explained = async (): Promise<string> => (await server.client.send('GET', '/openapi/v2')).text;

    it('both versions of OpenAPI have the schema of the extension server', async () => {
      const index = await server.client.send('GET', '/openapi/v3');
      const url = (index.json as { paths: Record<string, { serverRelativeURL: string }> }).paths[
        base.slice(1)
      ];
      assert.match(url?.serverRelativeURL ?? '', new RegExp(`^/openapi/v3${base}\\?hash=`));
      const v3 = await server.client.send('GET', url?.serverRelativeURL ?? '');
      assert.deepEqual(v3.json, documentsOf(naming, 'one').get(`/openapi/v3${base}?hash=one`));
      const v2 = JSON.parse(await explained()) as { readonly definitions: Record<string, unknown> };
      const published = documentsOf(naming, 'one').get('/openapi/v2') as typeof v2;
      assert.deepEqual(v2.definitions[DEFINITION], published.definitions[DEFINITION]);
    });

    if (naming === 'kubernetes') kubectlTests();

    it('the group of a stopped extension server is stale, and current with its changed schemas once it runs again', async () => {
      await extension.stop();
      // A request that fails has the server checked at once: checks of one that has answered are half a minute apart.
      assert.equal((await server.client.get(`${base}/gadgets`)).status, 503);
      await eventually(freshness, (current) => current === 'Stale', 60_000);
      await staleInKubectl();
      publish(extension, naming, 'two');
      await extension.start();
      await eventually(freshness, (current) => current === 'Current', 60_000);
      await eventually(explained, (text) => text.includes('release two'), 60_000);
    });

    const kubectl = (path: string, args: readonly string[]) =>
      run(path, [...args], { env: { KUBECONFIG: server.adminConfig } });

    function kubectlTests(): void {
      it('kubectl lists its resources, explains them and reads them', {
        skip: kubectls.length === 0,
      }, async () => {
        for (const { path, release } of kubectls) {
          const resources = await kubectl(path, ['api-resources', `--api-group=${GROUP}`, '--cached=false']);
          assert.match(resources.stdout, /^gadgets +gd +.*true +Gadget$/m, `${release}: ${resources.stderr}`);
          const explanation = await kubectl(path, ['explain', 'gadget']);
          assert.match(explanation.stdout, /A gadget of release one\./, `${release}: ${explanation.stderr}`);
          assert.match(explanation.stdout, /teeth\s+<integer>/, release);
          const raw = await kubectl(path, ['get', '--raw', `${base}/gadgets`]);
          assert.deepEqual(JSON.parse(raw.stdout), { kind: 'Answer' }, `${release}: ${raw.stderr}`);
        }
      });
    }

    /** Only its own resources are away. */
    async function staleInKubectl(): Promise<void> {
      if (naming !== 'kubernetes') return;
      for (const { path, release } of kubectls) {
        const { stdout, stderr } = await kubectl(path, ['api-resources', '--cached=false']);
        assert.match(stdout, /^deployments +deploy /m, `${release}: ${stderr}`);
        assert.doesNotMatch(stdout, /gadgets/, release);
        const pods = await kubectl(path, ['get', 'pods']);
        assert.equal(pods.code, 0, `${release}: ${pods.stderr}`);
      }
    }
  });
}
