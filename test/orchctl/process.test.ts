import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@orch/machinery/testing';
import { temporaryFolder } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { type BuiltProgram, builtPrograms, startBuilt } from './programs.ts';

/** More than a pipe holds, and than a client lists at once. */
const OBJECTS = 1_200;
const MIB = 2 ** 20;
const maps = '/api/v1/namespaces/default/configmaps';

/** A server without TLS that a test writes. */
async function serve(handler: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'default' } },
  spec: { containers: [{ name: 'c', image: 'x' }] },
};

const quoted = (word: string): string => `'${word}'`;

describe('processes over a server with many objects', { timeout: 240_000 }, () => {
  /** The programs only read its objects, and write one. */
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
    for (let start = 0; start < OBJECTS; start += 100)
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const metadata = { name: `map-${start + index}` };
          const { status } = await cluster.server.client.post(maps, {
            metadata,
            data: { a: 'x'.repeat(1_000) },
          });
          assert.equal(status, 201);
        }),
      );
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const program of builtPrograms)
    describe(`the process of ${program.name}`, { skip: program.skip, timeout: 120_000 }, () => {
      /** Runs a line of the shell in which `orchctl` is the program, as the administrator. */
      const shell = (line: string) => {
        const command = program.argv.map(quoted).join(' ');
        const script = `orchctl() { ${command} "$@" --client-config=${quoted(cluster.server.adminConfig)}; }\n${line}`;
        const env = { PATH: '/usr/bin:/bin', HOME: cluster.folder };
        return promisify(execFile)('bash', ['-c', script], { env, maxBuffer: 64 * MIB });
      };

      it(`${program.name} writes all of a long list into a pipe whose reader is slow`, async () => {
        const { stdout, stderr } = await shell('orchctl get configmaps -o json | { sleep 0.5; cat; }');
        const { items } = JSON.parse(stdout) as { readonly items: readonly unknown[] };
        assert.deepEqual([items.length >= OBJECTS, stderr], [true, '']);
      });

      it(`${program.name} ends without a message when the reader of a pipe closes it`, async () => {
        const { stdout, stderr } = await shell('orchctl get configmaps -o yaml | head -1');
        assert.deepEqual([stdout, stderr], ['apiVersion: v1\n', '']);
      });

      it(`${program.name} reads manifests from a pipe, and returns the status of its work`, async () => {
        const name = `piped-${builtPrograms.indexOf(program)}`;
        const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
        const { stdout } = await shell(
          `echo ${quoted(manifest)} | orchctl apply -f -; orchctl get configmap none; echo $?`,
        );
        assert.equal(stdout, `configmap/${name} serverside-applied\n1\n`);
      });

      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        it(`${program.name} ends a watch at ${signal}, with the status of an interrupted command`, async () => {
          const argv = ['get', 'configmaps', '--watch-only', `--client-config=${cluster.server.adminConfig}`];
          const child = startBuilt(program, argv, {
            env: { HOME: cluster.folder },
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          const exit = once(child, 'exit');
          const seen =
            child.stdout === null ? Promise.reject(new Error('no output')) : once(child.stdout, 'data');
          const { client } = cluster.server;
          for (let i = 0; (await Promise.race([seen.then(() => true), changed(i)])) !== true; i += 1);
          child.kill(signal);
          assert.deepEqual(await exit, [130, null]);

          async function changed(data: number): Promise<boolean> {
            const { status } = await client.put(`${maps}/map-0`, {
              metadata: { name: 'map-0' },
              data: { b: `${data}` },
            });
            assert.equal(status, 200);
            return false;
          }
        });
    });
});

for (const program of builtPrograms)
  describe(`a server that fails, and ${program.name}`, { skip: program.skip, timeout: 60_000 }, () => {
    it(`${program.name} takes no more from a server than its own output is read`, async () => {
      let sent = 0;
      await using server = await serve((request, response) => {
        if (!request.url?.includes('/log')) {
          response.end(JSON.stringify(pod));
          return;
        }
        const block = Buffer.alloc(64 * 1024, 'x');
        const flood = (): void => {
          do sent += block.byteLength;
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', flood);
        flood();
      });
      const child = ask(program, server.url, ['logs', 'one']);
      let last = 0;
      // The output of the process is not read: the pipe and the buffers on the way fill up.
      await eventually(
        async () => {
          const before = sent;
          await new Promise((resolve) => setTimeout(resolve, 250));
          last = sent;
          return last > 0 && before === sent;
        },
        (isStalled) => isStalled,
      );
      child.kill('SIGKILL');
      assert.ok(last < 32 * MIB, `${last} bytes were sent`);
    });

    for (const [title, head] of [
      ['before the length that it announced', { 'content-length': 10 }],
      ['before the last chunk', {}],
    ] as const)
      it(`${program.name} reports a response that ends ${title}`, async () => {
        await using server = await serve((_, response) => {
          response.writeHead(200, head);
          response.write('first', () => response.destroy());
        });
        const child = ask(program, server.url);
        const errors: Buffer[] = [];
        child.stderr?.on('data', (data: Buffer) => errors.push(data));
        child.stdout?.resume();
        const [code] = await once(child, 'close');
        assert.equal(code, 1);
        assert.match(Buffer.concat(errors).toString(), /interrupted/);
      });
  });

function ask(
  program: BuiltProgram,
  url: string,
  argv = ['get', '--raw=/any'],
): ReturnType<typeof startBuilt> {
  using home = temporaryFolder();
  return startBuilt(program, [...argv, `--server=${url}`], {
    env: { HOME: home.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
