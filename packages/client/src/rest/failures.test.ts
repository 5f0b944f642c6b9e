import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { ApiError, type Status } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import { soon } from '../transport/testing/peers.ts';
import { configMaps, served } from './testing/served.ts';

const statusOf = async (promise: Promise<unknown>): Promise<Status> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  throw new Error('it did not fail');
};

const conflict = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'changed',
  reason: 'Conflict',
  details: { name: 'a', kind: 'configmaps', causes: [{ reason: 'R', message: 'm', field: 'f' }] },
  code: 409,
};

describe('failed responses', () => {
  it('a failed response is an ApiError with the Status of the server', async () => {
    await using api = await served(() => ({ status: 409, body: conflict }));
    assert.deepEqual(await statusOf(api.client.resource(configMaps, 'ns').get('a')), conflict);
    assert.equal(api.seen.length, 1);
  });

  for (const [code, reason, body, message] of [
    [400, 'BadRequest', 'no such thing', 'the server responded 400: no such thing'],
    [401, 'Unauthorized', '', 'the server responded 401'],
    [404, 'NotFound', '404 page not found\n', 'the server could not find the requested resource'],
    [404, 'NotFound', '{"paths":[]}', 'the server could not find the requested resource'],
    [404, 'NotFound', '', 'the server could not find the requested resource'],
    [410, 'Gone', '', 'the server responded 410'],
    [418, 'Unknown', '', 'the server responded 418'],
    [500, 'InternalError', '{"half":', 'the server responded 500: {"half":'],
    [502, 'InternalError', '<html>', 'the server responded 502: <html>'],
    [504, 'Timeout', '{"kind":"Other"}', 'the server responded 504: {"kind":"Other"}'],
    [301, 'Unknown', '', 'the server redirects to https://other.test/'],
  ] as const) {
    it(`a failed response without a Status gets one: ${code} ${JSON.stringify(body)}`, async () => {
      await using api = await served(() => ({
        status: code,
        body,
        headers: code === 301 ? { location: 'https://other.test/' } : {},
      }));
      assert.deepEqual(await statusOf(api.client.resource(configMaps, 'ns').get('a')), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason,
        details: {},
        code,
      });
    });
  }

  it('a malformed Status keeps its valid fields', async () => {
    await using api = await served(() => ({
      status: 422,
      body: {
        kind: 'Status',
        metadata: 7,
        status: 'Odd',
        message: { no: 'text' },
        reason: 'Invalid',
        details: { causes: ['x', { field: 5, message: 'm' }], retryAfterSeconds: 'soon', name: 'a' },
        code: 'none',
      },
    }));
    assert.deepEqual(await statusOf(api.client.resource(configMaps, 'ns').get('a')), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Invalid',
      details: { name: 'a', causes: [{ message: 'm' }] },
      code: 422,
    });
  });

  it('a failed response is read up to a megabyte, and at most a kilobyte is in the message', async () => {
    await using api = await served((_, response) => {
      response.writeHead(500);
      const chunk = 'x'.repeat(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
      return undefined;
    });
    const { message = '' } = await statusOf(api.client.resource(configMaps, 'ns').get('a'));
    assert.ok(message.length < 1100);
  });
});

describe('retries after Retry-After', () => {
  it('reads and writes are retried after the requested delay', async () => {
    for (const status of [429, 503]) {
      let answers = 0;
      await using api = await served(() =>
        ++answers < 3 ? { status, headers: { 'retry-after': '2' } } : { body: { metadata: { name: 'a' } } },
      );
      const created = api.client.resource(configMaps, 'ns').create({ metadata: { name: 'a' } });
      await until(() => answers === 1 && api.env.clock.pending > 0);
      await advanceUntil(api.env.clock, 1_999, () => false);
      assert.equal(answers, 1);
      await advanceUntil(api.env.clock, 60_000, () => answers === 3);
      assert.equal((await created).metadata.name, 'a');
      const bodies = api.seen.map(({ body }) => body);
      assert.deepEqual(new Set(bodies).size, 1, 'the same body each time');
    }
  });

  for (const [what, status, header] of [
    ['without a delay', 429, undefined],
    ['with an hour', 429, '3600'],
    ['with a string', 503, 'later'],
    ['with a negative delay', 503, '-1'],
    ['with another status', 500, '1'],
    ['with another status', 504, '1'],
  ] as const) {
    it(`a response ${what} is not retried: ${status} ${header}`, async () => {
      await using api = await served(() => ({
        status,
        ...(header === undefined ? {} : { headers: { 'retry-after': header } }),
      }));
      assert.equal((await statusOf(api.client.resource(configMaps, 'ns').get('a'))).code, status);
      assert.equal(api.seen.length, 1);
    });
  }

  it('a request is sent at most six times', async () => {
    await using api = await served(() => ({ status: 429, headers: { 'retry-after': '0' }, body: conflict }));
    const failed = statusOf(api.client.resource(configMaps, 'ns').get('a'));
    await advanceUntil(api.env.clock, 60_000, () => api.seen.length === 6);
    assert.equal((await failed).reason, 'Conflict');
    assert.equal(api.seen.length, 6);
  });

  it('Retry-After can be a date', async () => {
    let answers = 0;
    await using api = await served(() =>
      ++answers === 1
        ? { status: 503, headers: { 'retry-after': new Date(Date.UTC(2024, 0, 1, 0, 0, 9)).toUTCString() } }
        : { body: { metadata: {} } },
    );
    const got = api.client.resource(configMaps, 'ns').get('a');
    await until(() => api.env.clock.pending > 0 && answers === 1);
    await advanceUntil(api.env.clock, 8_999, () => false);
    assert.equal(answers, 1);
    await advanceUntil(api.env.clock, 10_000, () => answers === 2);
    await got;
  });

  it('an aborted request does not wait for Retry-After', async () => {
    await using api = await served(() => ({ status: 429, headers: { 'retry-after': '20' } }));
    const stop = new AbortController();
    const failed = assert.rejects(api.client.resource(configMaps, 'ns').get('a', {}, stop.signal), /enough/);
    await until(() => api.seen.length === 1 && api.env.clock.pending > 0);
    stop.abort(new Error('enough'));
    await failed;
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});

/** Moves time in steps of ten milliseconds, with real turns of the event loop between them, until it holds. */
async function advanceUntil(
  clock: { advanceAsync(ms: number): Promise<void> },
  ms: number,
  holds: () => boolean,
): Promise<void> {
  for (let passed = 0; passed < ms && !holds(); ) {
    const step = Math.min(50, ms - passed);
    await clock.advanceAsync(step);
    passed += step;
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('missing responses', () => {
  it('a read without a response fails after a minute, without an effect', async () => {
    await using api = await served(() => undefined);
    const failed = assert.rejects(api.client.resource(configMaps, 'ns').get('a'), {
      name: 'TransportError',
      outcome: 'noEffect',
      message: 'GET /api/v1/namespaces/ns/configmaps/a: no response within 60000 ms',
    });
    await until(() => api.seen.length === 1);
    await api.env.clock.advanceAsync(60_000);
    await failed;
  });

  it('a write without a response fails after a minute, with an unknown outcome', async () => {
    await using api = await served(() => undefined);
    const { patch } = api.client.resource(configMaps, 'ns');
    const failed = assert.rejects(patch.merge('a', {}), { name: 'TransportError', outcome: 'unknown' });
    await until(() => api.seen.length === 1);
    await api.env.clock.advanceAsync(60_000);
    await failed;
  });

  it('an incomplete object fails after a minute, and a list after ten while data arrives', async () => {
    let write: (text: string) => void = () => {};
    let end: (text: string) => void = () => {};
    await using api = await served((_, response) => {
      response.writeHead(200);
      write = (text) => void response.write(text);
      end = (text) => void response.end(text);
      return undefined;
    });
    const c = api.client.resource(configMaps, 'ns');
    const one = assert.rejects(c.get('a'), { outcome: 'noEffect', message: /no response within/ });
    await until(() => api.seen.length === 1);
    write('{"metadata":');
    await api.env.clock.advanceAsync(60_000);
    await one;

    const list = c.list();
    await until(() => api.seen.length === 2);
    write('{"metadata":{},"items":[');
    for (let i = 0; i < 5; i++) {
      await turns(20);
      await api.env.clock.advanceAsync(59_000);
      write(' ');
    }
    await turns(20);
    end(']}');
    assert.deepEqual((await list).items, []);

    const endless = assert.rejects(c.list(), { outcome: 'noEffect' });
    await until(() => api.seen.length === 3);
    write('{');
    for (let i = 0; i < 11; i++) {
      await turns(20);
      await api.env.clock.advanceAsync(55_000);
      write(' ');
    }
    await endless;

    const silent = assert.rejects(c.list(), { outcome: 'noEffect' });
    await until(() => api.seen.length === 4);
    write('{');
    await turns(20);
    await api.env.clock.advanceAsync(60_000);
    await silent;
  });

  it('requests leave no timers and no listeners', async () => {
    await using api = await served(({ target }) => ({
      status: target.endsWith('bad') ? 500 : 200,
      body: { metadata: {} },
    }));
    const stop = new AbortController();
    const c = api.client.resource(configMaps, 'ns');
    for (let i = 0; i < 20; i++) {
      await c.get('good', {}, stop.signal);
      await assert.rejects(c.get('bad', {}, stop.signal));
    }
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
    assert.equal(api.env.clock.pending, 0);
  });
});

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('warnings of the server', () => {
  it('warnings with code 299 are reported once each', async () => {
    const warnings: unknown[] = [];
    const headers = {
      warning:
        '299 - "old version", 199 - "ignored", 299 host:80 "say \\"please\\"" "Wed, 21 Oct 2015 07:28:00 GMT", 299 - "a, b"',
    };
    await using api = await served(() => ({ headers, body: { metadata: {} } }), {
      onWarning: (warning) => void warnings.push(warning),
    });
    const c = api.client.resource(configMaps, 'ns');
    await c.get('a', {}, soon());
    await c.get('b');
    const where = { method: 'GET', target: '/api/v1/namespaces/ns/configmaps/a' };
    assert.deepEqual(warnings, [
      { text: 'old version', ...where },
      { text: 'say "please"', ...where },
      { text: 'a, b', ...where },
    ]);
  });

  it('warnings are logged by default, those of failures included', async () => {
    await using api = await served(() => ({ status: 404, headers: { warning: '299 - "old"' } }));
    await assert.rejects(api.client.resource(configMaps, 'ns').get('a'));
    assert.deepEqual(
      api.env.entries.map(({ level, warning }) => [level, warning]),
      [['warn', 'old']],
    );
  });

  it('the bytes of a warning are read as UTF-8', async () => {
    const warnings: string[] = [];
    const warning = Buffer.from('299 - "unknown field daté, 日本"').toString('latin1');
    await using api = await served(() => ({ headers: { warning }, body: { metadata: {} } }), {
      onWarning: ({ text }) => void warnings.push(text),
    });
    await api.client.resource(configMaps, 'ns').get('a');
    assert.deepEqual(warnings, ['unknown field daté, 日本']);
  });

  it('malformed warnings are ignored in linear time', async () => {
    const warnings: string[] = [];
    const odd = ['299', '299 - "open', '"', `299 - "${'\\'.repeat(4000)}`, 'x'.repeat(8000), '299  "" ""'];
    let next = 0;
    await using api = await served(
      () => ({ headers: { warning: odd[next++] ?? '' }, body: { metadata: {} } }),
      {
        onWarning: ({ text }) => void warnings.push(text),
      },
    );
    for (const _ of odd) await api.client.resource(configMaps, 'ns').get('a');
    assert.deepEqual(warnings, []);
  });
});
