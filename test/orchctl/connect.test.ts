import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { deferred } from '@orch/machinery';
import type { CommandSurroundings } from '@orch/orchctl/testing';
import { type ContainerFiles, containerFiles, copyTests } from './copy-tests.ts';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

/** Command lines whose output and exit status must be those of kubectl. */
const sameOutput: readonly (readonly [line: string, input?: string])[] = [
  ['logs one'],
  ['logs one --tail=1'],
  ['logs one --tail=0'],
  ['logs one --previous'],
  ['logs -p one'],
  ['logs one c'],
  ['logs one -c c --limit-bytes=3'],
  ['logs one --timestamps --since=1h'],
  ['logs one --since-time=2024-01-01T00:00:00Z'],
  ['logs two'],
  ['logs two -c b --prefix'],
  ['logs two --all-containers'],
  ['logs two --all-containers --prefix'],
  ['logs deployment/web'],
  ['logs svc/web --tail=1'],
  ['logs -l name=one --prefix'],
  ['logs pod/one'],
  ['logs missing'],
  ['logs one -c z'],
  ['logs'],
  ['logs one --since=1h --since-time=2024-01-01T00:00:00Z'],
  ['exec one -- echo hello world'],
  ['exec one -c c -- echo -n'],
  ['exec two -- complain loudly'],
  ['exec one -- exit 7'],
  ['exec one -- nonsense'],
  ['exec -i one -- cat', 'through and back'],
  ['exec -i deployment/web -- cat', ''],
  ['exec svc/web -- echo x'],
  ['exec one -- fill 300000'],
  ['exec missing -- echo'],
  ['exec one'],
  ['exec'],
  ['attach -i one', 'typed in'],
  ['attach -i two -c b', 'typed in'],
  ['attach missing'],
];

/** kubectl prints the logs of several containers in random order. */
const comparable = (line: string, text: string): string =>
  line.includes('--all-containers') ? text.split('\n').toSorted().join('\n') : text;

async function webServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => response.end(`web ${request.method} ${request.url}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

for (const naming of ['kubernetes', 'orch'] as const)
  describe(`containers of a server with --naming=${naming}`, () => {
    let web: Awaited<ReturnType<typeof webServer>>;
    let cluster: NodeCluster;
    let files: ContainerFiles;
    before(async () => {
      web = await webServer();
      files = containerFiles();
      cluster = await nodeCluster(naming, (port) => (port === 80 ? web.port : 1), files.runOther);
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      files[Symbol.dispose]();
      web.server.close();
      web.server.closeAllConnections();
    });
    const run = (line: string, surroundings?: CommandSurroundings) =>
      cluster.orchctl(line.split(' '), surroundings);

    /** Runs a command until `use` has seen what it waits for in its output. */
    async function during(
      line: string,
      pattern: RegExp,
      use: (text: string, waitFor: (pattern: RegExp) => Promise<string>) => Promise<void>,
    ) {
      const stop = new AbortController();
      let text = '';
      const waiting = new Set<() => void>();
      const waitFor = async (wanted: RegExp): Promise<string> => {
        while (!wanted.test(text)) {
          const written = deferred<void>();
          waiting.add(written.resolve);
          await written.promise;
        }
        return text;
      };
      const running = run(line, {
        signal: stop.signal,
        onOutput(all) {
          text = all;
          for (const wake of waiting) wake();
          waiting.clear();
        },
      });
      const early = running.then(({ err }) => Promise.reject(new Error(`it ended: ${err}`)));
      early.catch(() => {});
      await Promise.race([early, waitFor(pattern).then((seen) => use(seen, waitFor))]);
      stop.abort(new Error('the test has seen enough'));
      return running;
    }

    if (naming === 'kubernetes')
      for (const [line, input] of sameOutput)
        it(`"${line}" prints what kubectl prints`, async () => {
          const argv = line.split(' ');
          const [own, other] = await Promise.all([
            run(line, input === undefined ? {} : { input }),
            cluster.kubectl(argv, input),
          ]);
          assert.equal(comparable(line, own.out), comparable(line, other.out), `${own.err}\n${other.err}`);
          if (other.status === 1) assert.notEqual(own.status, 0, other.err);
          else assert.deepEqual([own.status, own.err], [other.status, other.err]);
        });

    if (naming === 'kubernetes')
      copyTests(
        () => cluster,
        () => files,
      );

    it('logs -f prints lines as they are written', async () => {
      const { out } = await during('logs -f one --tail=1', /line/, async (_, waitFor) => {
        cluster.agent.log(`written later under ${naming}`);
        await waitFor(/written later/);
      });
      assert.match(out, new RegExp(`written later under ${naming}\\n$`));
    });

    it('exec passes input, output and the exit status', async () => {
      const echoed = await run('exec -i one -- cat', { input: 'a\nb' });
      assert.deepEqual(echoed, { status: 0, out: 'a\nb', err: '' });
      const failed = await run('exec one -- exit 9');
      assert.deepEqual(failed, { status: 9, out: '', err: 'command terminated with exit code 9\n' });
    });

    it('exec with a terminal sends its size and puts it in raw mode for the duration of the command', async () => {
      const modes: boolean[] = [];
      const terminal = {
        setRaw: (isRaw: boolean) => void modes.push(isRaw),
        onResize(listener: (size: { columns: number; rows: number }) => void) {
          listener({ columns: 91, rows: 17 });
          return () => {};
        },
      };
      const { out } = await run('exec -it one -- size', { terminal });
      assert.equal(out, '91x17\n');
      assert.deepEqual(modes, [true, false]);
    });

    for (const target of ['one', 'deployment/web'])
      it(`port-forward forwards connections to ${target} from free ports of both loopback addresses`, async () => {
        const { status } = await during(
          `port-forward ${target} :80 0:80`,
          /\[::1\]:\d+ -> 80[\s\S]*\[::1\]:\d+ -> 80\n/,
          async (text) => {
            const ports = [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
            assert.equal(new Set(ports).size, 2);
            for (const port of ports) {
              const response = await fetch(`http://127.0.0.1:${port}/x`, {
                headers: { connection: 'close' },
              });
              assert.equal(await response.text(), 'web GET /x');
            }
          },
        );
        assert.equal(status, 0);
      });

    it('port-forward to a service uses the target port, also by the name of the port', async () => {
      const line = 'port-forward service/web 0:http :8080 --address=127.0.0.1';
      await during(line, /-> 80\n.*-> 80\n/, async (text) => {
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(text) ?? [];
        assert.equal(await (await fetch(`http://127.0.0.1:${port}/s`)).text(), 'web GET /s');
      });
    });

    for (const [line, message] of [
      ['port-forward one', /^error: TYPE\/NAME and list of ports are required for port-forward/],
      ['port-forward one 1:2:3', /^error: invalid port format "1:2:3"/],
      ['port-forward one 99999:80', /^error: invalid local port in "99999:80"/],
      ['port-forward one :none', /^error: pod one does not have a port named "none"/],
      ['port-forward service/web :81', /^error: Service web does not have a service port 81/],
    ] as const)
      it(`"${line}" is refused with a message`, async () => {
        const { status, err } = await run(line);
        assert.notEqual(status, 0);
        assert.match(err, message);
      });

    it('proxy serves the API to this machine only, without paths that connect to containers', async () => {
      await during('proxy --port=0', /Starting to serve on 127\.0\.0\.1:\d+\n/, async (text) => {
        const [, port] = /:(\d+)\n/.exec(text) ?? [];
        const status = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
          const { request } = process.getBuiltinModule('node:http');
          const outgoing = request({ host: '127.0.0.1', port, path, headers, method });
          outgoing.end();
          const [response] = await once(outgoing, 'response');
          response.resume();
          return response.statusCode;
        };
        const pods = '/api/v1/namespaces/default/pods';
        assert.equal(await status(`${pods}/one`), 200);
        assert.equal(await status(`${pods}/missing`), 404);
        assert.equal(await status(`${pods}/one/exec?command=echo`), 403);
        assert.equal(await status(`${pods}/one/%65xec?command=echo`), 403);
        assert.equal(await status(`${pods}/one/attach`, {}, 'POST'), 403);
        assert.equal(await status(`${pods}/one`, { host: 'attacker.example' }), 403);
        const log = await fetch(`http://127.0.0.1:${port}${pods}/one/log?tailLines=3`);
        assert.match(await log.text(), /^line 1\nline 2\nline 3\n|line/);
        const created = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/default/configmaps`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'impersonate-user': 'without-roles' },
          body: JSON.stringify({ metadata: { name: 'by-proxy' } }),
        });
        assert.equal(created.status, 201);
      });
    });
  });
