import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testCertificate } from '@orch/pki/x509/testing';
import {
  type CommandResult,
  freePort,
  type LaunchedServer,
  launchServer,
  type NodeAgent,
  representativeKubectls,
  run,
  runKubectl,
  start,
  startNodeAgent,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);

/** An address of this machine that pods may have: not the loopback one, which is refused for them. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(
    ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
  )?.address;

const hasScript = (await run('script', ['--version'])).code === 0;

/** From these releases on kubectl tries web sockets first. */
const withWebSockets = { exec: 30, portForward: 31 } as const;

const authority = testCertificate({ commonName: 'nodes', use: 'authority' });
const issue = (commonName: string, use: 'server' | 'client') =>
  testCertificate({ commonName, use }, authority);

const pod = (name: string, containers: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: { nodeName: 'n', containers: containers.map((one) => ({ name: one, image: 'x' })) },
});

for (const kubectl of kubectls) {
  describe(`kubectl ${kubectl.release} and a node agent`, { timeout: 240_000 }, () => {
    const minor = Number(kubectl.release.split('.')[1]);
    const work = mkdtempSync(join(tmpdir(), 'orch-streams-'));
    let agent: NodeAgent;
    let server: LaunchedServer;
    let web: Server;
    let webPort = 0;
    const env = () => ({ KUBECONFIG: server.adminConfig, HOME: work });
    const k = (args: readonly string[], input?: string): Promise<CommandResult> =>
      runKubectl(kubectl.path, args, { env: env(), ...(input === undefined ? {} : { input }) });
    const ok = async (args: readonly string[], input?: string): Promise<string> => {
      const result = await k(args, input);
      assert.equal(result.code, 0, `kubectl ${args.join(' ')}\n${result.stdout}\n${result.stderr}`);
      return result.stdout;
    };

    before(async () => {
      const client = issue('the-api-server', 'client');
      for (const [name, text] of Object.entries({ ca: authority.cert, cert: client.cert, key: client.key }))
        writeFileSync(join(work, name), text);
      web = createServer((request, response) => {
        response.setHeader('Content-Type', 'text/plain');
        response.end(`web ${request.method} ${request.url} ${request.headers.authorization ?? 'no user'}`);
      });
      web.listen(0, '0.0.0.0');
      await once(web, 'listening');
      const address = web.address();
      webPort = typeof address === 'object' && address !== null ? address.port : 0;
      const serving = issue('agent', 'server');
      agent = await startNodeAgent({
        names: namesFor('kubernetes'),
        ...serving,
        clientCa: authority.cert,
        portOf: (port) => (port === 80 ? webPort : 1),
      });
      server = await launchServer({
        naming: 'kubernetes',
        args: [
          `--nodeagent-certificate-authority=${work}/ca`,
          `--kubelet-client-certificate=${work}/cert`,
          `--kubelet-client-key=${work}/key`,
        ],
      });
      await prepare();
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      await agent[Symbol.asyncDispose]();
      web.close();
      web.closeAllConnections();
      rmSync(work, { recursive: true, force: true });
    });

    async function prepare(): Promise<void> {
      const put = async (collection: string, object: { metadata: { name: string } }): Promise<void> => {
        const made = await server.client.post(collection, object);
        assert.equal(made.status, 201, made.text);
        const path = `${collection}/${object.metadata.name}/status`;
        if ('status' in object) assert.equal((await server.client.put(path, object)).status, 200);
      };
      await put('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n' },
        status: {
          addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
          daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
        },
      } as { metadata: { name: string } });
      const running = { phase: 'Running', podIP: ownAddress, podIPs: [{ ip: ownAddress }] };
      for (const one of [pod('one', ['c']), pod('two', ['a', 'b'])])
        await put('/api/v1/namespaces/default/pods', { ...one, status: running } as typeof one);
    }

    it(`kubectl ${kubectl.release} logs prints complete, partial and previous logs, and follows new lines`, async () => {
      assert.equal(await ok(['logs', 'one']), 'line 1\nline 2\nline 3\n');
      assert.equal(await ok(['logs', 'one', '--tail=1']), 'line 3\n');
      assert.equal(await ok(['logs', 'one', '--previous']), 'earlier line\n');
      assert.equal(await ok(['logs', 'one', '-c', 'c', '--limit-bytes=3']), 'lin');
      assert.match(
        await ok(['logs', 'one', '--timestamps', '--since=1h']),
        /^2024-01-01T00:00:00\.0+Z line 1$/m,
      );
      await using following = start(kubectl.path, ['logs', '-f', 'one'], {
        env: { ...process.env, ...env() },
      });
      await following.waitFor(/line 3/, 20_000);
      agent.log('written later');
      await following.waitFor(/written later/, 20_000);
    });

    it(`kubectl ${kubectl.release} logs of a pod with several containers names the containers`, async () => {
      const several = await k(['logs', '--request-timeout=20s', 'two', '-c', 'z']);
      assert.equal(several.code, 1);
      assert.match(several.stderr, /container z is not valid for pod two/);
      const raw = await k(['get', '--raw', '/api/v1/namespaces/default/pods/two/log']);
      assert.match(raw.stderr, /choose one of: \[a b\]/);
      assert.match(await ok(['logs', 'two', '-c', 'b', '--tail=1']), /\n$/);
    });

    it(`kubectl ${kubectl.release} exec passes input, output, errors and exit status`, async () => {
      assert.equal(await ok(['exec', 'one', '--', 'echo', 'hello', 'world']), 'hello world\n');
      const complaint = await k(['exec', 'two', '-c', 'b', '--', 'complain', 'loudly']);
      assert.deepEqual([complaint.code, complaint.stdout, complaint.stderr], [0, '', 'loudly\n']);
      const failed = await k(['exec', 'one', '--', 'exit', '7']);
      assert.equal(failed.code, 7, failed.stderr);
      assert.equal(await ok(['exec', '-i', 'one', '--', 'cat'], 'through and back'), 'through and back');
      assert.equal((await ok(['exec', 'one', '--', 'fill', '3000000'])).length, 3_000_000);
      const asked = agent.requests.find(({ url }) => url.startsWith('/exec/default/one/c?'));
      assert.equal(asked?.client, 'the-api-server');
      assert.equal(asked?.headers.upgrade, minor < withWebSockets.exec ? 'SPDY/3.1' : 'websocket');
      assert.equal(asked?.headers.authorization, undefined);
    });

    it(`kubectl ${kubectl.release} exec -t gives a command a terminal`, {
      skip: hasScript ? false : 'this machine has no program to make one',
    }, async () => {
      const command = `${kubectl.path} exec -it one -- size`;
      const seen = await run('script', ['-qec', `stty cols 91 rows 17; ${command}`, '/dev/null'], {
        env: env(),
      });
      assert.match(seen.stdout, /91x17/, seen.stderr);
    });

    it(`kubectl ${kubectl.release} attach passes input and output of a running container`, async () => {
      assert.match(await ok(['attach', '-i', 'one'], 'typed in'), /typed in/);
    });

    it(`kubectl ${kubectl.release} port-forward forwards connections to a pod`, async () => {
      const port = await freePort();
      await using forwarding = start(kubectl.path, ['port-forward', 'pod/one', `${port}:80`], {
        env: { ...process.env, ...env() },
      });
      await forwarding.waitFor(/Forwarding from 127\.0\.0\.1/, 20_000);
      for (const path of ['/first', '/second']) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          signal: AbortSignal.timeout(20_000),
        });
        assert.equal(await response.text(), `web GET ${path} no user`);
      }
      const asked = agent.requests.findLast(({ url }) => url.startsWith('/portForward/'));
      assert.equal(asked?.headers.upgrade, minor < withWebSockets.portForward ? 'SPDY/3.1' : 'websocket');
    });

    it(`kubectl ${kubectl.release} get --raw passes requests to nodes`, async () => {
      assert.equal(
        await ok(['get', '--raw', '/api/v1/nodes/n/proxy/stats/summary?a=b']),
        'GET /stats/summary?a=b\n',
      );
      assert.match(
        (await k(['get', '--raw', '/api/v1/nodes/gone/proxy/stats'])).stderr,
        /nodes "gone" not found/,
      );
    });

    it(`kubectl ${kubectl.release} get --raw passes requests to pods and services`, {
      skip: ownAddress === undefined ? 'this machine has no address besides loopback' : false,
    }, async () => {
      await ok(
        ['create', '-f', '-'],
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web', namespace: 'default' },
          spec: { selector: { app: 'one' }, ports: [{ name: 'http', port: 80, targetPort: webPort }] },
        }),
      );
      const endpoints = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'web', namespace: 'default' },
        subsets: [
          {
            addresses: [{ ip: ownAddress, targetRef: { kind: 'Pod', namespace: 'default', name: 'one' } }],
            ports: [{ name: 'http', port: webPort }],
          },
        ],
      };
      const none = await k(['get', '--raw', '/api/v1/namespaces/default/services/web:80/proxy/']);
      assert.match(none.stderr, /no endpoints available for service "web"/);
      await ok(['create', '-f', '-'], JSON.stringify(endpoints));
      for (const [path, seen] of [
        [`pods/one:${webPort}/proxy/a/b?c=d`, '/a/b?c=d'],
        ['services/web:80/proxy/x', '/x'],
        ['services/http:web:http/proxy/', '/'],
      ] as const) {
        assert.equal(
          await ok(['get', '--raw', `/api/v1/namespaces/default/${path}`]),
          `web GET ${seen} no user`,
        );
      }
    });
  });
}
