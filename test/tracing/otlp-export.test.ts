import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { GrpcServer } from '@orch/storage/testing';
import {
  ApiClient,
  freePort,
  launchServerProcess,
  run,
  type ServerProcess,
  temporaryFolder,
} from '@orch/testkit';
import { type ExportedSpan, exportedSpans } from './otlp-spans.ts';

const root = join(import.meta.dirname, '..', '..');
const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const sampled = { traceparent: `00-${trace}-${parent}-01` };
/** A flood of requests that clients have marked as sampled. */
const FLOOD = 3000;

describe('export of traces to a collector', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const stack = new AsyncDisposableStack();
  const spans: ExportedSpan[] = [];
  let isAccepting = true;
  let collector: GrpcServer;

  /** Starts a server that samples this number of a million requests. */
  async function launch(rate: number, endpoint: string): Promise<ServerProcess> {
    const file = join(folder.path, `tracing-${rate}.yaml`);
    const apiVersion = namesFor('orch').apiVersion('apiserverconfig', 'v1beta1');
    writeFileSync(
      file,
      JSON.stringify({ apiVersion, kind: 'TracingConfiguration', endpoint, samplingRatePerMillion: rate }),
    );
    return stack.use(
      await launchServerProcess({
        args: [`--tracing-config-file=${file}`],
        env: { OTEL_BSP_SCHEDULE_DELAY: '100' },
      }),
    );
  }

  before(async () => {
    collector = stack.use(
      await GrpcServer.listen(async (call) => {
        assert.equal(call.path, EXPORT);
        const message = await call.next();
        if (!isAccepting || message === undefined) return call.end(14, 'unavailable');
        spans.push(...exportedSpans(message));
        call.send(Buffer.alloc(0));
        call.end();
      }),
    );
  });
  after(async () => {
    await stack.disposeAsync();
    folder[Symbol.dispose]();
  });

  it('with a rate of 0, only requests whose client has sampled its trace are exported, in that trace', async () => {
    const server = await launch(0, `127.0.0.1:${collector.port}`);
    await server.client.get('/version?own');
    await server.client.send('GET', '/api/v1/namespaces/default', { headers: sampled });
    const request = await poll('the span of the request', 10_000, () =>
      spans.find(({ name }) => name === 'GET /api/v1/namespaces/{name}'),
    );
    assert.deepEqual([request.traceId, request.parentId, request.service], [trace, parent, 'apiserver']);
    const children = spans.filter(({ parentId }) => parentId === request.spanId).map(({ name }) => name);
    assert.ok(children.includes('authenticate') && children.includes('authorize'), children.join());
    assert.deepEqual(
      spans.filter(({ traceId }) => traceId !== trace).map(({ name }) => name),
      [],
    );
  });

  it('with a rate of a million, every request is exported, and the last ones when the server ends', async () => {
    const server = await launch(1_000_000, `dns:///127.0.0.1:${collector.port}`);
    const before = spans.length;
    await server.client.get('/version');
    await server.process.stop('SIGTERM');
    assert.ok(spans.slice(before).some(({ name }) => name === 'GET /version'));
  });

  it('a flood of sampled requests while the collector accepts none leaves requests served, with one log entry', async () => {
    isAccepting = false;
    const server = await launch(0, `127.0.0.1:${collector.port}`);
    const clients = Array.from({ length: 8 }, () => stack.use(new ApiClient(server.config)));
    const statuses = await Promise.all(
      clients.map(async (client) => {
        const seen = new Set<number>();
        for (let i = 0; i < FLOOD / clients.length; i++)
          seen.add((await client.send('GET', '/version', { headers: sampled })).status);
        return [...seen];
      }),
    );
    assert.deepEqual([...new Set(statuses.flat())], [200]);
    const failures = () =>
      server.process.output().match(/the collector of traces does not accept spans/g)?.length;
    await poll('an entry about the collector', 30_000, () => failures());
    assert.equal(failures(), 1, 'one entry a minute');
    isAccepting = true;
  });

  it('a server starts and serves though no collector listens', async () => {
    const server = await launch(1_000_000, `127.0.0.1:${await freePort()}`);
    assert.equal((await server.client.get('/readyz')).status, 200);
  });

  it('without the packages of the SDK, the start fails with their names', async () => {
    // A copy of the bundle, as in an image: no folder above it has packages.
    const bundle = join(folder.path, 'bundle');
    cpSync(join(root, 'dist'), bundle, {
      recursive: true,
      filter: (path) => !/\.map$|compile-cache/.test(path),
    });
    const file = join(folder.path, 'tracing-0.yaml');
    const argv = [
      join(bundle, 'orch-apiserver.mjs'),
      `--tracing-config-file=${file}`,
      `--cert-dir=${folder.path}`,
    ];
    const { code, stderr } = await run(process.execPath, argv, { env: { NODE_PATH: '' } });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /--tracing-config-file needs packages .*install @opentelemetry\/sdk-trace-base \(2\.x\) and @opentelemetry\/exporter-trace-otlp-grpc/,
    );
  });

  it('an invalid file, and a second SDK, are refused at the start', async () => {
    const file = join(folder.path, 'invalid.yaml');
    writeFileSync(file, 'kind: Tracing');
    const refused = (options: Parameters<typeof launchServerProcess>[0], message: RegExp) =>
      assert.rejects(launchServerProcess(options), message);
    await refused(
      { args: [`--tracing-config-file=${file}`] },
      /--tracing-config-file \S+invalid\.yaml: line 1/,
    );
    await refused(
      {
        args: [`--tracing-config-file=${join(folder.path, 'tracing-0.yaml')}`],
        env: {
          NODE_OPTIONS: `--import=${join(import.meta.dirname, 'file-exporter.mjs')}`,
          SPANS_FILE: join(folder.path, 'spans'),
        },
      },
      /--tracing-config-file cannot be used with a tracing SDK that was loaded before the program/,
    );
  });
});
