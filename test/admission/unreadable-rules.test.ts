import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { tempDir } from '@orch/storage/testing';
import { type ApiClient, type ApiResponse, launchServer } from '@orch/testkit';

const never = new AbortController().signal;
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const names = namesFor('orch');
const admission = `/apis/${names.apiVersion('admissionregistration', 'v1')}`;
const inNamespace = (namespace: string, resource: string): string =>
  `/api/v1/namespaces/${namespace}/${resource}`;
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'registry.example/a:1' }] } };
const configMap = { metadata: { name: 'c' } };

interface Rule {
  readonly title: string;
  /** The object that becomes unreadable: the path at which it is created, and its key in the store. */
  readonly path: string;
  readonly object: { readonly metadata: { readonly name: string }; readonly [field: string]: unknown };
  readonly key: string;
  /** A write that it may refuse. */
  readonly write: (client: ApiClient) => Promise<ApiResponse>;
}

const rules: readonly Rule[] = [
  {
    title: 'namespace',
    path: '/api/v1/namespaces',
    object: { metadata: { name: 'lost' } },
    key: 'namespaces/lost',
    write: (client) => client.post(inNamespace('lost', 'configmaps'), configMap),
  },
  {
    title: 'limit range',
    path: inNamespace('limited', 'limitranges'),
    object: { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    key: 'limitranges/limited/l',
    write: (client) => client.post(inNamespace('limited', 'pods'), pod),
  },
  {
    title: 'resource quota',
    path: inNamespace('bounded', 'resourcequotas'),
    object: { metadata: { name: 'q' }, spec: { hard: { configmaps: '0' } } },
    key: 'resourcequotas/bounded/q',
    write: (client) => client.post(inNamespace('bounded', 'configmaps'), configMap),
  },
  ...(
    [
      ['validating webhook configuration', 'validatingwebhookconfigurations', { webhooks: [] }],
      ['mutating webhook configuration', 'mutatingwebhookconfigurations', { webhooks: [] }],
    ] as const
  ).map(([title, resource, rest]) => ({
    title,
    path: `${admission}/${resource}`,
    object: { metadata: { name: 'w' }, ...rest },
    key: `${resource}.admissionregistration/w`,
    write: (client: ApiClient) => client.post(`${inNamespace('free', 'configmaps')}?dryRun=All`, configMap),
  })),
];

const nameOf = ({ object }: Rule): string => object.metadata.name;

describe('rules of admission that cannot be read', { timeout: 180_000 }, () => {
  for (const rule of rules) {
    it(`writes to which an unreadable ${rule.title} may apply are refused until it is removed`, async () => {
      await using work = await tempDir('orch-unreadable-rules-');
      const dataDir = join(work.path, 'data');
      const launch = () => launchServer({ dataDir, certDir: join(work.path, 'certs') });
      {
        await using server = await launch();
        for (const name of ['limited', 'bounded', 'free'])
          assert.equal((await server.client.post('/api/v1/namespaces', { metadata: { name } })).status, 201);
        const made = await server.client.post(rule.path, rule.object);
        assert.equal(made.status, 201, made.text);
        await server.stop();
      }
      await damage(dataDir, `/registry/${rule.key}`);
      await using server = await launch();
      const { client } = server;
      const refused = await rule.write(client);
      assert.equal(refused.status, 500, refused.text);
      assert.match(refused.text, /cannot be read/);
      assert.ok(refused.text.includes(nameOf(rule)), refused.text);
      const removed = await client.delete(`${rule.path}/${nameOf(rule)}?${OPTION}=true`);
      assert.equal(removed.status, 200, removed.text);
      const after = await rule.write(client);
      assert.equal(after.status, rule.title === 'namespace' ? 404 : 201, after.text);
    });
  }
});

async function damage(dir: string, key: string): Promise<void> {
  const store = await openEmbeddedStore({ dir, env: testEnv() });
  try {
    const { kv } = await store.get(key, never);
    assert.ok(kv !== undefined, `${key} is stored`);
    const write = { op: 'update', key, value: Buffer.from('{"kind":'), expected: kv.modRevision } as const;
    assert.ok((await store.commit(write, never)).ok);
  } finally {
    await store.close();
  }
}
