import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { deferred } from '@orch/machinery/concurrency';
import { eventually, type TestEnv, testEnv } from '@orch/machinery/testing';
import { files } from '../config/testing/files.ts';
import { testClient } from '../testing/index.ts';
import { serving } from '../transport/testing/certificates.ts';
import { HeldBytes, readReview } from './read-review.ts';
import type { AdmissionHandler, ConversionHandler } from './types.ts';
import { webhookServer } from './webhook-server.ts';

interface Answered {
  readonly status: number;
  readonly json: {
    readonly kind?: string;
    readonly reason?: string;
    readonly response?: Readonly<Record<string, unknown>>;
  };
}

const { client } = testClient();
const admissionVersion = client.names.apiVersion('admission', 'v1');
const conversionVersion = client.names.apiVersion('apiextensions', 'v1');
const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' }, size: 1 };
const review = (request: object = {}): object => ({
  kind: 'AdmissionReview',
  apiVersion: admissionVersion,
  request: { uid: 'u-1', operation: 'CREATE', object: widget, ...request },
});

describe('webhook servers', { timeout: 60_000 }, () => {
  let env: TestEnv;
  let stop: AbortController;
  let running: Promise<void> | undefined;
  let port = 0;
  let pair: ReturnType<typeof files>;

  beforeEach(() => {
    env = testEnv();
    stop = new AbortController();
    pair = files(serving);
  });
  afterEach(async () => {
    stop.abort();
    await running;
    pair[Symbol.dispose]();
  });

  async function serve(
    admission: Record<string, AdmissionHandler>,
    conversion: Record<string, ConversionHandler> = {},
  ): Promise<void> {
    const listening = deferred<number>();
    const server = webhookServer({
      ...{ port: 0, host: '127.0.0.1', admission, conversion, onListening: listening.resolve },
      tls: { certFile: pair.path('cert'), keyFile: pair.path('key') },
    });
    running = server({ env, client }, stop.signal);
    port = await Promise.race([listening.promise, running.then(() => assert.fail('it has ended'))]);
  }

  async function post(path: string, body: object | string, options: object = {}): Promise<Answered> {
    const headers = { 'content-type': 'application/json' };
    const asked = httpsRequest({
      ...{ host: '127.0.0.1', port, path, method: 'POST', ca: serving.cert, agent: false, headers },
      ...options,
    });
    asked.end(typeof body === 'string' ? body : JSON.stringify(body));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode ?? 0, json: JSON.parse(text) };
  }

  const responseTo = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, json } = await post(path, body);
    assert.equal(status, 200);
    return json.response ?? {};
  };

  it('an admission handler allows and denies writes, with warnings and a reason', async () => {
    await serve({
      '/validate': ({ object }) =>
        object?.['size'] === 1
          ? { allowed: true, warnings: ['small'] }
          : { allowed: false, message: 'too large', reason: 'Invalid', code: 422 },
    });
    assert.deepEqual(await post('/validate?timeout=10s', review()), {
      status: 200,
      json: {
        kind: 'AdmissionReview',
        apiVersion: admissionVersion,
        response: { uid: 'u-1', allowed: true, warnings: ['small'] },
      },
    });
    assert.deepEqual(await responseTo('/validate', review({ object: { ...widget, size: 2 } })), {
      ...{ uid: 'u-1', allowed: false },
      status: { code: 422, reason: 'Invalid', message: 'too large' },
    });
  });

  it('an admission handler returns the changed object or a patch', async () => {
    const operations = [{ op: 'replace', path: '/size', value: 3 }] as const;
    await serve({
      '/object': ({ object }) => {
        if (object === null) return { allowed: true };
        object['size'] = 3;
        return { allowed: true, object };
      },
      '/patch': () => ({ allowed: true, patch: operations }),
      '/same': ({ object }) => ({ allowed: true, ...(object === null ? {} : { object }) }),
    });
    const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
    for (const path of ['/object', '/patch'])
      assert.deepEqual(await responseTo(path, review()), {
        ...{ uid: 'u-1', allowed: true, patchType: 'JSONPatch', patch },
      });
    assert.deepEqual(await responseTo('/same', review()), { uid: 'u-1', allowed: true });
  });

  it('a handler that throws denies the write with 500, and only the log has its error', async () => {
    await serve({
      '/broken': () => {
        throw new Error('the password is 1234');
      },
    });
    assert.deepEqual(await responseTo('/broken', review()), {
      ...{ uid: 'u-1', allowed: false },
      status: { code: 500, reason: 'InternalError', message: 'the webhook has failed' },
    });
    const [entry] = env.entries.filter(({ level }) => level === 'error');
    assert.deepEqual([entry?.['path'], entry?.['error']], ['/broken', 'the password is 1234']);
  });

  it('a handler that does not end denies the write after the time of the request', async () => {
    const called = deferred<AbortSignal>();
    await serve({
      '/slow': (_, { signal }) => {
        called.resolve(signal);
        return new Promise(() => {});
      },
    });
    const answered = responseTo('/slow?timeout=5s', review());
    const signal = await called.promise;
    env.clock.advance(5_000);
    assert.equal(signal.aborted, true);
    assert.deepEqual((await answered)['status'], {
      ...{ code: 504, reason: 'Timeout', message: 'the webhook has not decided in time' },
    });
  });

  it('a request that is not a review gets a Status', async () => {
    await serve({ '/validate': () => ({ allowed: true }) });
    const text = { headers: { 'content-type': 'text/plain' } };
    const chunked = { headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } };
    const huge = { headers: { 'content-type': 'application/json', 'content-length': 9 * 1024 * 1024 } };
    for (const [code, body, path = '/validate', options = {}] of [
      [400, '{'],
      [400, '[]'],
      [400, { ...review(), apiVersion: 'admission.example.com/v1' }],
      [400, review({ uid: '' })],
      [400, review({ operation: 1 })],
      [400, review({ object: 'a' })],
      [404, review(), '/other'],
      [405, '', '/validate', { method: 'GET' }],
      [413, '', '/validate', huge],
      [413, ' '.repeat(9 * 1024 * 1024), '/validate', chunked],
      [415, review(), '/validate', text],
    ] as const) {
      const { status, json } = await post(path, body, options);
      assert.deepEqual([status, json.kind], [code, 'Status'], JSON.stringify(json));
    }
  });

  it('a conversion handler converts all objects, or the review fails', async () => {
    await serve(
      {},
      {
        '/convert': ({ size, ...object }) => {
          if (size === 0) throw new Error('size');
          return { ...object, metadata: { labels: { old: 'yes' } }, width: size };
        },
      },
    );
    const request = { uid: 'u-2', desiredAPIVersion: 'example.com/v2' };
    const asked = (...objects: object[]): object => ({
      ...{ kind: 'ConversionReview', apiVersion: conversionVersion },
      request: { ...request, objects },
    });
    const current = { ...widget, apiVersion: 'example.com/v2' };
    assert.deepEqual(await responseTo('/convert', asked(widget, current)), {
      uid: 'u-2',
      convertedObjects: [
        {
          ...{ kind: 'Widget', apiVersion: 'example.com/v2', width: 1 },
          metadata: { name: 'a', labels: { old: 'yes' } },
        },
        current,
      ],
      result: { status: 'Success' },
    });
    const { convertedObjects, result } = await responseTo('/convert', asked(widget, { ...widget, size: 0 }));
    assert.deepEqual([convertedObjects, (result as { status: string }).status], [[], 'Failure']);
    assert.equal((await post('/convert', asked(...(['a'] as unknown as object[])))).status, 400);
  });

  it('a certificate that has changed is presented to new connections', async () => {
    await serve({ '/validate': () => ({ allowed: true }) });
    const { X509Certificate } = process.getBuiltinModule('node:crypto');
    const presented = async (): Promise<string> => {
      const { connect } = process.getBuiltinModule('node:tls');
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      return new X509Certificate(raw).fingerprint256;
    };
    const before = await presented();
    // The files of two clients have pairs that a server can present too.
    const { clients } = await import('../transport/testing/certificates.ts');
    const [other] = Object.values(clients);
    writeFileSync(pair.path('cert'), other?.cert ?? '');
    await env.clock.advanceAsync(10_000);
    assert.equal(await presented(), before, 'a pair that does not match is not presented');
    writeFileSync(pair.path('key'), other?.key ?? '');
    await env.clock.advanceAsync(10_000);
    assert.equal(await presented(), new X509Certificate(other?.cert ?? '').fingerprint256);
  });

  it('a server that is stopped answers its requests and then ends', async () => {
    const called = deferred();
    const decided = deferred();
    await serve({
      '/slow': async () => {
        called.resolve();
        await decided.promise;
        return { allowed: true };
      },
    });
    const agent = new Agent({ keepAlive: true, ca: serving.cert });
    const answered = post('/slow', review(), { agent });
    await called.promise;
    stop.abort();
    await eventually(
      () =>
        post('/slow', review()).then(
          () => 'answered',
          () => 'refused',
        ),
      (outcome) => outcome === 'refused',
    );
    decided.resolve();
    assert.equal((await answered).json.response?.['allowed'], true);
    await running;
    agent.destroy();
  });

  it('a body is refused while the bodies of other requests need all of the memory', async () => {
    const held = new HeldBytes();
    const asked = (): IncomingMessage =>
      Object.assign(Readable.from([Buffer.from('{}')]), {
        headers: { 'content-type': 'application/json' },
      }) as unknown as IncomingMessage;
    assert.equal(held.take(256 * 1024 * 1024), true);
    await assert.rejects(readReview(asked(), held, 100), { code: 429 });
    held.release(2);
    assert.deepEqual(await readReview(asked(), held, 100), { review: {}, bytes: 2 });
    await assert.rejects(readReview(asked(), held, 100), { code: 429 });
  });

  it('a path with two handlers and a bad path are refused', () => {
    const tls = { certFile: 'a', keyFile: 'b' };
    const admission = { '/a': () => ({ allowed: true }) as const };
    assert.throws(
      () => webhookServer({ tls, admission, conversion: { '/a': (object) => object } }),
      RangeError,
    );
    assert.throws(() => webhookServer({ tls, admission: { a: admission['/a'] } }), RangeError);
  });
});
