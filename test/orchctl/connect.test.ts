import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deferred } from '@orch/machinery/concurrency';
import { eventually } from '@orch/machinery/testing';
import type { CommandSurroundings } from '@orch/orchctl/testing';
import { run as runProgram } from '@orch/testkit';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'orchctl');

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
    before(async () => {
      web = await webServer();
      cluster = await nodeCluster(naming, (port) => (port === 80 ? web.port : 1));
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
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

    /** Sets the phase of a pod when it exists. */
    async function setPhase(name: string, status: object): Promise<void> {
      const path = `/api/v1/namespaces/default/pods/${name}`;
      const pod = await eventually(
        () => cluster.server.client.get(path),
        (answer) => answer.status === 200,
      );
      const { metadata, spec } = pod.json as { metadata: object; spec: object };
      const set = await cluster.server.client.put(`${path}/status`, { metadata, spec, status });
      assert.equal(set.status, 200, set.text);
    }
    const onNode = `{"spec":{"nodeName":"n"}}`;

    it('run -i waits until its pod runs, passes streams, and exits with the status of the container', async () => {
      const line = `run once -i --rm --image=x --restart=Never --overrides=${onNode}`;
      const running = run(line, { input: 'typed in' });
      await setPhase('once', { phase: 'Running' });
      const finished = { name: 'once', ready: false, restartCount: 0, image: 'x', imageID: 'x' };
      const state = { terminated: { exitCode: 5 } };
      await eventually(
        async () => cluster.agent.requests.some(({ url }) => url.startsWith('/attach/default/once/')),
        (isAttached) => isAttached,
      );
      await setPhase('once', { phase: 'Failed', containerStatuses: [{ ...finished, state }] });
      const { status, out, err } = await running;
      assert.deepEqual([status, out], [5, 'typed inpod "once" deleted\n'], err);
      assert.equal((await run('get pod once')).status, 1);
    });

    it('run --attach prints the log of a pod that has ended before', async () => {
      const running = run(`run ended --attach --image=x --restart=Never --overrides=${onNode}`);
      await setPhase('ended', { phase: 'Succeeded' });
      const { status, out, err } = await running;
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, /^line 1\n/);
    });

    it('run --rm deletes a pod that does not run in time, and reports the timeout', async () => {
      const { status, out, err } = await run('run late -i --rm --image=x --pod-running-timeout=50ms');
      assert.deepEqual([status, out], [1, 'pod "late" deleted\n']);
      assert.match(err, /^error: timed out waiting for pod late to run/);
    });

    it('port-forward to a pod that does not run is refused at once', async () => {
      assert.equal((await run('run pending --image=x')).status, 0);
      const { status, err } = await run('port-forward pending :80');
      assert.deepEqual(
        [status, err],
        [1, 'error: unable to forward port because pod is not running. Current status=Pending\n'],
      );
    });

    it('a command in a workload waits for its first pod, as long as --pod-running-timeout says', async () => {
      assert.equal((await run('create deployment empty --image=x')).status, 0);
      const late = await run('exec deployment/empty --pod-running-timeout=50ms -- echo');
      assert.match(late.err, /^error: timed out waiting for a pod with the labels app=empty\n$/);
      const none = await run('logs deployment/empty --pod-running-timeout=0');
      assert.match(none.err, /^error: deployment\/empty selects no pods in namespace default\n$/);
      const executed = run('exec deployment/empty -- echo found');
      assert.equal((await run(`run first -l app=empty --image=x --overrides=${onNode}`)).status, 0);
      assert.deepEqual(await executed, { status: 0, out: 'found\n', err: '' });
    });

    for (const line of ['exec refused -- ls', 'attach refused', 'exec -i refused -- ls'])
      it(`the process of "${line}" ends when the server refuses the connection`, async () => {
        const made = await run('run refused --image=x');
        assert.ok(made.status === 0 || made.err.includes('AlreadyExists'), made.err);
        const argv = [`--client-config=${cluster.server.adminConfig}`, ...line.split(' ')];
        const { code, stderr } = await runProgram(program, argv, { timeoutMs: 30_000 });
        assert.deepEqual(
          [code, stderr],
          [1, 'Error from server (BadRequest): pod refused does not have a host assigned\n'],
        );
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
