import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { allVerbs, documentedKinds } from '@orch/apis';
import { customResource } from '@orch/custom-resources';
import { type ApiObject, namesFor } from '@orch/machinery';
import { asObject, type JsonObject } from '@orch/machinery/json';
import { type OpenApi, openApi } from '@orch/schema';
import { wholeBody } from '@orch/schema/testing';
import { representativeKubectls, run } from '@orch/testkit';

const names = namesFor('kubernetes');
const kubectls = await representativeKubectls(join(import.meta.dirname, '..', '..'));
const group = 'stable.example.com';

const spec = {
  type: 'object',
  description: 'What is wanted.',
  required: ['cron'],
  properties: {
    cron: { type: 'string', description: 'When it runs.' },
    replicas: { type: 'integer', description: 'How many.', default: 1 },
    port: { 'x-kubernetes-int-or-string': true, description: 'Where it listens.' },
    template: { type: 'object', description: 'Anything.', 'x-kubernetes-preserve-unknown-fields': true },
    maybe: { type: 'string', nullable: true, description: 'A string, or null.' },
    parts: {
      type: 'array',
      description: 'Parts.',
      items: { type: 'object', properties: { a: { type: 'string' } } },
    },
  },
};
const definition = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: `crontabs.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', description: 'Runs at times.', properties: { spec } },
        },
      },
    ],
  },
  status: {
    acceptedNames: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
  },
} as ApiObject;

/** The documents of a server that serves the definition and nothing else. */
function documents(): OpenApi {
  const [version] = customResource(definition, names).versions;
  const schema = version?.type.versions[0]?.schema;
  assert.ok(schema !== undefined);
  const kind = { group, version: 'v1', kind: 'CronTab', resource: 'crontabs', namespaced: true };
  return openApi({
    names,
    title: 'Test',
    version: 'v1.30.0',
    resources: [{ ...kind, verbs: allVerbs, schema, subresources: [] }],
    meta: documentedKinds,
    objectMediaTypes: ['application/json'],
    streamMediaTypes: [],
    patchMediaTypes: ['application/merge-patch+json'],
    fieldValidation: true,
    patchCreates: true,
  });
}

const groupVersion = { groupVersion: `${group}/v1`, version: 'v1' };
/** Discovery of the only group. */
const discovery: Readonly<Record<string, JsonObject>> = {
  '/api': { kind: 'APIVersions', versions: [] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [{ name: group, versions: [groupVersion], preferredVersion: groupVersion }],
  },
  [`/apis/${group}/v1`]: {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/v1`,
    resources: [
      { name: 'crontabs', singularName: 'crontab', namespaced: true, kind: 'CronTab', verbs: allVerbs },
    ],
  },
  '/version': { major: '1', minor: '30', gitVersion: 'v1.30.0' },
};

/** Serves the documents as an API server does: version 2 in Protobuf where that is asked for. */
function serve(api: OpenApi): Server {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const known = discovery[pathname];
    if (known !== undefined) {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(known));
      return;
    }
    const isProtobuf = (request.headers.accept ?? '').includes('proto');
    const document =
      pathname === '/openapi/v2'
        ? await (isProtobuf ? api.v2Protobuf() : api.v2Json())
        : pathname === '/openapi/v3'
          ? await api.v3Index()
          : await api.v3(pathname.slice('/openapi/v3/'.length));
    if (document === undefined) response.writeHead(404).end();
    else response.setHeader('Content-Type', document.contentType).end(await wholeBody(document));
  });
}

describe('kubectl explain of a custom kind', { skip: kubectls.length === 0 && 'no kubectl here' }, () => {
  const home = mkdtempSync(join(tmpdir(), 'kubectl-explain-custom-'));
  const server = serve(documents());
  let url = '';

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true });
  });

  for (const { path, release } of kubectls) {
    const explain = async (...args: readonly string[]): Promise<string> => {
      const env = { HOME: join(home, release), KUBECONFIG: join(home, 'none') };
      const { code, stderr, stdout } = await run(path, ['explain', `--server=${url}`, ...args], { env });
      assert.equal(code, 0, stderr);
      return stdout;
    };

    it(`kubectl explain of a custom kind shows its fields with their descriptions: ${release}`, async () => {
      const page = await explain('crontab.spec');
      for (const { description } of Object.values(asObject(spec.properties)).map(asObject))
        assert.ok(page.includes(String(description)), page);
      assert.match(page, /cron\s+<string>.*-?required-?/);
    });

    it(`kubectl explain of a custom kind shows the kind and all that is below it: ${release}`, async () => {
      assert.match(await explain('crontab'), /Runs at times/);
      const page = await explain('crontabs', '--recursive');
      for (const field of ['apiVersion', 'metadata', 'labels', 'replicas', 'parts', 'a'])
        assert.match(page, new RegExp(`^\\s+${field}\\b`, 'm'));
    });
  }
});
