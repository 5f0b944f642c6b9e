import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { entries, entriesOutput } from './entries.ts';
import { emptyProject, otherRuntimes } from './project.ts';

const tools = await otherRuntimes();
const project = await emptyProject();
const name = 'missing' in project ? 'client' : project.nameOf('client');
const skip = 'missing' in tools ? tools.missing : 'missing' in project ? project.missing : false;
const { imports, use } = entries(name);

const follows = `
import { applyYaml, builtinResources, createClient, informerFactory, loadConfig } from '${name}';
const config = await loadConfig();
const client = createClient(config);
const { configmaps } = builtinResources(client.names).core.v1;
const maps = client.resource(configmaps, 'default');
await maps.create({ metadata: { generateName: 'first-', labels: { app: 'follows' } }, data: { sky: 'blue' } });
const stop = new AbortController();
const informers = informerFactory({ client, env: config.env });
const informer = informers.informer(configmaps, { namespace: 'default', labelSelector: 'app=follows' });
const change = new Promise<string>((resolve) => {
  informer.subscribe(({ object }) => object.data?.['sky'] === 'red' && resolve(object.metadata.name));
});
const running = informers.run(stop.signal);
const [first] = (await maps.list({ labelSelector: 'app=follows' })).items;
if (first === undefined) throw new Error('no object');
const { name } = first.metadata;
await maps.patch.merge(name, { data: { sky: 'red' } });
const text = 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: { name: ' + name + ' }\\ndata: { land: green }\\n';
await applyYaml(client, text, { fieldManager: 'follows' });
console.log((await change) === name, JSON.stringify((await maps.get(name)).data));
await maps.delete(name);
stop.abort();
await running;
await client.transport.close();
`;

describe(`the package ${name} on other runtimes`, { skip, timeout: 900_000 }, () => {
  if ('missing' in project || 'missing' in tools) return;
  let server: LaunchedServer;
  before(async () => {
    // Both runtimes run TypeScript.
    project.write({ 'entries.mts': imports + use, 'follows.mts': follows });
    server = await launchServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  for (const alias of ['bun', 'deno'])
    it(`modules run against a server on ${alias}`, async () => {
      const flags = alias === 'deno' ? ['run', '--allow-all'] : [];
      const env = { KUBECONFIG: server.adminConfig, ORCHCONFIG: '', DENO_NO_UPDATE_CHECK: '1' };
      const found = [];
      for (const file of ['entries.mts', 'follows.mts'])
        found.push(await project.run(tools.paths[alias] ?? '', [...flags, file], env));
      assert.deepEqual(found, [
        { code: 0, stdout: entriesOutput, stderr: '' },
        { code: 0, stdout: 'true {"land":"green","sky":"red"}\n', stderr: '' },
      ]);
    });
});
