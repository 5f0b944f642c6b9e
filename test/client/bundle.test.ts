import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bundleClient, type ClientBundle } from '@orch/testkit';
import { build } from 'esbuild';

/** Modules of the runtime that take longer to load than the whole client: they are loaded by the first connection. */
const slow = ['http', 'https', 'http2', 'tls', 'zlib', 'net', 'child_process'];

/** The size of a program that a bundler has minified. */
async function bundledBytes(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return outputFiles[0]?.contents.length ?? 0;
}

describe('client library bundled into one file', () => {
  let bundle: ClientBundle;

  before(async () => {
    bundle = await bundleClient();
  });
  after(() => bundle[Symbol.dispose]());

  it('the bundled client library has at most 436 kB', () => {
    assert.ok(bundle.bytes <= 436_000, `${bundle.bytes} bytes`);
  });

  it('a resource that a program names adds at most 2 kB to its bundle', async () => {
    const client = `import { createClient } from '@orch/client';\nexport const client = await createClient();\n`;
    const names = ['coreV1Pod', 'appsV1Deployment', 'rbacV1ClusterRole'];
    const base = await bundledBytes(client);
    for (const name of names) {
      const use = `import { ${name} } from '@orch/client/resources';\nexport const all = client.resource(${name}(client.names)).list();\n`;
      const added = (await bundledBytes(client + use)) - base;
      assert.ok(added > 50 && added <= 2000, `${name} adds ${added} bytes`);
    }
  });

  it('importing the client library loads no slow module of the runtime', () => {
    const script = `const before = new Set(process.moduleLoadList);
await import($client);
console.log(JSON.stringify(process.moduleLoadList.filter((one) => !before.has(one))));`;
    const loaded = JSON.parse(bundle.run(script)) as readonly string[];
    assert.ok(loaded.every((one) => one.startsWith('NativeModule ') || one.startsWith('Internal Binding ')));
    assert.deepEqual(
      slow.filter((name) => loaded.includes(`NativeModule ${name}`)),
      [],
    );
  });

  it('importing the client library starts no timers, opens no handles and reads no environment variables', () => {
    const script = `const names = new Set(Reflect.ownKeys(globalThis));
let read = [];
process.env = new Proxy({}, { get: (_, name) => void read.push(name), has: (_, name) => void read.push(name) });
// The module loader reads environment variables itself.
await import('data:text/javascript,');
const loaders = new Set(read);
await import($client);
read = read.filter((name) => !loaders.has(name));
const added = Reflect.ownKeys(globalThis).filter((name) => !names.has(name));
console.log(JSON.stringify({ active: process.getActiveResourcesInfo(), added, read }));`;
    const { active, added, read } = JSON.parse(bundle.run(script));
    assert.deepEqual([added, read], [[], []]);
    assert.deepEqual(
      active.filter((one: string) => one === 'Timeout' || one.startsWith('TCP')),
      [],
    );
  });

  it('an idle client does not keep the process running', () => {
    // The server is part of the program and does not keep it running either.
    const script = `import { createServer } from 'node:http';
const { networkTransport } = await import($client);
const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
server.on('connection', (socket) => socket.unref());
server.unref();
const clear = (timer) => () => clearTimeout(timer);
const clock = {
  now: () => 0,
  monotonic: () => performance.now(),
  schedule: (ms, act) => clear(setTimeout(act, ms).unref()),
  scheduleAwaited: (ms, act) => clear(setTimeout(act, ms)),
};
const credentials = { current: async () => ({ headers: {} }), rejected: () => false, onTlsChange: () => () => {} };
const settings = { server: 'http://127.0.0.1:' + server.address().port, insecureSkipTlsVerify: false, disableCompression: false, credentials };
const transport = networkTransport(settings, { clock, random: { int: () => 0 } });
const response = await transport.send({ method: 'GET', target: '/', headers: {} }, new AbortController().signal);
for await (const piece of response.body) console.log(Buffer.from(piece).toString());`;
    assert.equal(bundle.run(script), 'ok\n');
  });
});
