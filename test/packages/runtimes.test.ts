import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { otherRuntimes } from '@orch/testkit/package-tools';
import { skipped as withoutBrowser } from '../console/console-browser.ts';
import { openProgram } from './browser-program.ts';
import { entries, entriesOutput } from './entries.ts';
import { unpackedProject } from './project.ts';

const tools = await otherRuntimes();
const project = await unpackedProject();
const name = project.nameOf('client');
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

const inBrowser = `
import { browserEnv, builtinResources, createClient, fetchTransport, isNotFound } from '${name}/browser';
import { informerFactory, namesFor, namingOfServer } from '${name}/browser';

let changed: Promise<string>;
export async function start(server: string, token: string): Promise<readonly unknown[]> {
  const env = browserEnv();
  const options = { transport: fetchTransport({ server, token }), env, userAgent: 'page' };
  const naming = await namingOfServer(createClient({ ...options, names: namesFor('orch') }));
  const client = createClient({ ...options, names: namesFor(naming) });
  const { configmaps } = builtinResources(client.names).core.v1;
  const maps = client.resource(configmaps, 'default');
  const error: unknown = await maps.get('missing').catch((reason: unknown) => reason);
  const informers = informerFactory({ client, env });
  const informer = informers.informer(configmaps, { namespace: 'default', labelSelector: 'app=page' });
  const stop = new AbortController();
  changed = new Promise((resolve) => {
    informer.subscribe(({ object }) => object.data?.['sky'] === 'r\u00f6tlich' && resolve(object.metadata.name));
  });
  void changed.then(() => stop.abort());
  void informers.run(stop.signal);
  const { items } = await maps.list({ labelSelector: 'app=page' });
  return [typeof Buffer, naming, items.map(({ metadata }) => metadata.name), isNotFound(error)];
}
export const change = (): Promise<string> => changed;
`;

/** The exports of that program, in a page. */
declare const program: {
  start(server: string, token: string): Promise<readonly unknown[]>;
  change(): Promise<string>;
};

describe(`the package ${name} on other runtimes`, { timeout: 900_000 }, () => {
  const paths = 'missing' in tools ? {} : tools.paths;
  let server: LaunchedServer;
  before(async () => {
    // Both runtimes run TypeScript.
    project.write({ 'entries.mts': imports + use, 'follows.mts': follows, 'page.mts': inBrowser });
    const tokens = join(project.folder, 'tokens');
    writeFileSync(tokens, 'secret,page,1,system:masters\n');
    const origins = '--cors-allowed-origins=^http://127\\.0\\.0\\.1:';
    server = await launchServer({ args: [`--token-auth-file=${tokens}`, origins] });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  for (const alias of ['bun', 'deno'])
    it(`modules run against a server on ${alias}`, {
      skip: 'missing' in tools && tools.missing,
    }, async () => {
      const flags = alias === 'deno' ? ['run', '--allow-all'] : [];
      const env = { KUBECONFIG: server.adminConfig, ORCHCONFIG: '', DENO_NO_UPDATE_CHECK: '1' };
      const found = [];
      for (const file of ['entries.mts', 'follows.mts'])
        found.push(await project.run(paths[alias] ?? '', [...flags, file], env));
      assert.deepEqual(found, [
        { code: 0, stdout: entriesOutput, stderr: '' },
        { code: 0, stdout: 'true {"land":"green","sky":"red"}\n', stderr: '' },
      ]);
    });

  it('the subpath for browsers lists, reads and watches objects of a server of another origin', {
    skip: withoutBrowser,
  }, async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    const labels = { app: 'page' };
    await server.client.send('POST', maps, { body: { metadata: { name: 'shown', labels } } });
    await using opened = await openProgram(project.folder, 'page.mts');
    const { page } = opened;
    const started = await page.evaluate(([url = '']) => program.start(url, 'secret'), [server.url]);
    assert.deepEqual(started, ['undefined', 'orch', ['shown'], true]);
    await server.client.send('PATCH', `${maps}/shown`, {
      body: { data: { sky: 'r\u00f6tlich' } },
      contentType: 'application/merge-patch+json',
    });
    assert.equal(await page.evaluate(() => program.change()), 'shown');
  });
});
