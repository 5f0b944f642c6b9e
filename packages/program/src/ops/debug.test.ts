import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { createMetrics, systemClock, systemRandom } from '@orch/machinery/env';
import { poll, recordedLog } from '@orch/machinery/testing';
import { processDebug } from '../debug/process-debug.ts';
import { HealthChecks } from '../health/checks.ts';
import { Health } from '../health/health.ts';
import { onlyLocal } from './debug-handler.ts';
import { serveOps } from './ops-server.ts';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** `fetch` does not permit the fields that browsers and proxies set. */
const send = (port: number, path: string, { body, ...sent }: Sent = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, agent: false, ...sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.on('error', reject).end(body);
  });

async function openPort({ host = '127.0.0.1', hasProfiles = true } = {}) {
  const verbosity = { level: 0 };
  const { log, entries } = recordedLog(systemClock);
  const env = { clock: systemClock, random: systemRandom, log, metrics: createMetrics() };
  const health = new Health({ checks: new HealthChecks(), clock: env.clock, log, livezGraceMs: 0 });
  const debug = {
    endpoints: processDebug({ env, verbosity, hasProfiles }),
    refusal: onlyLocal('elsewhere'),
  };
  const ops = await serveOps({ env, health, host, port: 0, debug });
  return {
    verbosity,
    entries,
    get: (path: string, sent?: Sent) => send(ops.port, path, sent),
    [Symbol.asyncDispose]: () => ops.close(),
  };
}

describe('endpoints for debugging', () => {
  it('the list names every endpoint with its methods', async () => {
    await using port = await openPort();
    for (const path of ['/debug', '/debug/']) {
      const { status, text } = await port.get(path);
      assert.equal(status, 200);
      for (const line of [
        /^GET, PUT +\/debug\/flags\/v +\S/m,
        /^GET +\/debug\/profile\/cpu +\S/m,
        /^GET +\/debug\/profile\/heap +\S/m,
        /^GET +\/debug\/event-loop +\S/m,
        /^GET +\/debug\/memory +\S/m,
      ])
        assert.match(text, line);
    }
  });

  it('PUT of a number changes the verbosity of the log, and the change is logged', async () => {
    await using port = await openPort();
    assert.equal((await port.get('/debug/flags/v')).text, '0\n');
    const changed = await port.get('/debug/flags/v', { method: 'PUT', body: '4\n' });
    assert.deepEqual([changed.status, changed.text], [200, '--v is 4\n']);
    assert.equal(port.verbosity.level, 4);
    const entry = port.entries.find(({ msg }) => msg === 'the verbosity of the log changes');
    assert.deepEqual([entry?.['from'], entry?.['to']], [0, 4]);
  });

  for (const body of ['', '11', '-1', '1.5', 'x', '1e1', ' ', '9'.repeat(1000)])
    it(`PUT of ${JSON.stringify(body.slice(0, 5))} (${body.length} characters) does not change the verbosity`, async () => {
      await using port = await openPort();
      assert.equal((await port.get('/debug/flags/v', { method: 'PUT', body })).status, 400);
      assert.equal(port.verbosity.level, 0);
    });

  it('a CPU profile has the functions that ran, and a heap profile the ones that allocated', async () => {
    await using port = await openPort();
    const pending = port.get('/debug/profile/cpu?seconds=1');
    const { status, headers, text } = await pending;
    assert.equal(status, 200, text);
    assert.match(headers['content-disposition'] ?? '', /\.cpuprofile"/);
    const cpu = JSON.parse(text) as {
      readonly nodes: readonly object[];
      readonly samples: readonly number[];
    };
    assert.ok(cpu.nodes.length > 0 && cpu.samples.length > 0);
    const heap = JSON.parse((await port.get('/debug/profile/heap?seconds=1')).text) as {
      readonly head: object;
    };
    assert.ok('callFrame' in heap.head);
  });

  it('only one profile is taken at a time, and one whose client disconnects makes room for the next', async () => {
    await using port = await openPort();
    const [first, second] = await Promise.all([
      port.get('/debug/profile/cpu?seconds=1'),
      port.get('/debug/profile/heap?seconds=1'),
    ]);
    assert.deepEqual([first.status, second.status].sort(), [200, 429]);
    const long = new AbortController();
    const given = port.get('/debug/profile/cpu?seconds=30', { signal: long.signal }).catch(() => undefined);
    const cpu = async () => (await port.get('/debug/profile/cpu?seconds=1')).status;
    await poll('a profile in progress', 5000, async () => (await cpu()) === 429);
    long.abort();
    await given;
    await poll('room for a profile', 5000, async () => (await cpu()) === 200);
  });

  for (const seconds of ['0', '31', '-1', '1.5', 'x', '', '1e1', '99999999999'])
    it(`a profile of "${seconds}" seconds is refused`, async () => {
      await using port = await openPort();
      for (const path of ['profile/cpu', 'profile/heap', 'event-loop'])
        assert.equal((await port.get(`/debug/${path}?seconds=${seconds}`)).status, 400);
    });

  it('without profiling there are no profiles', async () => {
    await using port = await openPort({ hasProfiles: false });
    assert.equal((await port.get('/debug/profile/cpu?seconds=1')).status, 404);
    assert.doesNotMatch((await port.get('/debug')).text, /profile/);
  });

  it('a thread is named by its number, and a process with one thread has only the first one', async () => {
    await using port = await openPort();
    assert.equal((await port.get('/debug/memory?thread=1')).status, 200);
    for (const [query, status, text] of [
      ['thread=2', 404, 'thread 2 not found: the number of threads is 1\n'],
      ['thread=0', 400, 'thread must be a positive integer\n'],
      ['thread=one', 400, 'thread must be a positive integer\n'],
      ['thread=', 400, 'thread must be a positive integer\n'],
      [`thread=${'9'.repeat(1000)}`, 400, 'thread must be a positive integer\n'],
    ] as const)
      for (const path of ['profile/cpu', 'profile/heap', 'memory']) {
        const answer = await port.get(`/debug/${path}?seconds=1&${query}`);
        assert.deepEqual([answer.status, answer.text], [status, text], path);
      }
  });

  it('a setting of one thread is not changed alone', async () => {
    await using port = await openPort();
    const { status, text } = await port.get('/debug/flags/v?thread=1', { method: 'PUT', body: '4' });
    assert.deepEqual([status, text], [400, 'thread must be absent: PUT changes all threads\n']);
    assert.equal(port.verbosity.level, 0);
  });

  it('figures of the event loop and of the memory are numbers', async () => {
    await using port = await openPort();
    const loop = JSON.parse((await port.get('/debug/event-loop?seconds=1')).text) as {
      readonly utilization: number;
      readonly lagMs: { readonly max: number; readonly p99: number };
    };
    for (const figure of [loop.utilization, loop.lagMs.max, loop.lagMs.p99]) assert.ok(figure >= 0);
    const memory = JSON.parse((await port.get('/debug/memory')).text) as {
      readonly process: { readonly rss: number };
    };
    assert.ok(memory.process.rss > 0);
  });

  for (const [title, headers] of [
    ['a name that a page has bound to this address', { host: 'attacker.example.com:8080' }],
    ['a name that begins with a loopback address', { host: '127.0.0.1.example.com' }],
    ['a page in a browser', { origin: 'https://attacker.example.com' }],
    ['an image in a page', { 'sec-fetch-site': 'cross-site' }],
    ['a proxy on this machine', { 'x-forwarded-for': '10.0.0.1' }],
    ['a standard proxy on this machine', { forwarded: 'for=10.0.0.1' }],
  ] as const)
    it(`a request for debugging through ${title} is refused, and health is served`, async () => {
      await using port = await openPort();
      assert.equal((await port.get('/debug/flags/v', { method: 'PUT', body: '9', headers })).status, 403);
      assert.equal((await port.get('/debug', { headers })).status, 403);
      assert.equal((await port.get('/debug/unknown', { headers })).status, 403);
      assert.equal(port.verbosity.level, 0);
      assert.equal((await port.get('/livez', { headers })).status, 200);
    });

  it('a port on all addresses serves no endpoint for debugging, not even to this machine', async () => {
    await using port = await openPort({ host: '0.0.0.0' });
    const { status, text } = await port.get('/debug/flags/v', { method: 'PUT', body: '9' });
    assert.deepEqual([status, port.verbosity.level], [403, 0]);
    assert.match(text, /elsewhere/);
  });

  it('other methods are refused with those that are supported', async () => {
    await using port = await openPort();
    const { status, headers } = await port.get('/debug/memory', { method: 'DELETE' });
    assert.deepEqual([status, headers['allow']], [405, 'GET']);
    assert.equal((await port.get('/debug/unknown')).status, 404);
  });
});
