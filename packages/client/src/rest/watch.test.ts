import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { isExactNumber } from '@orch/machinery/json';
import fc from 'fast-check';
import { TransportError } from '../transport/transport.ts';
import { configMaps, served } from './testing/served.ts';
import type { WatchEvent, WatchOptions } from './types.ts';
import { eventsOf } from './watch-events.ts';
import { LineCutter } from './watch-lines.ts';

const event = (type: string, name: string): string =>
  JSON.stringify({ type, object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } } });

async function* chunks(...all: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of all) yield Buffer.from(chunk as string);
}

async function read(source: AsyncIterable<Uint8Array>, maxBytes = 1000): Promise<string[]> {
  const seen: string[] = [];
  for await (const { type, object } of eventsOf(source, maxBytes))
    seen.push(`${type} ${object.metadata.name}`);
  return seen;
}

describe('watch events (spec 2.4)', () => {
  const lines = [event('ADDED', 'ä'), event('MODIFIED', 'b'), event('DELETED', 'c'), event('BOOKMARK', '')];
  const expected = ['ADDED ä', 'MODIFIED b', 'DELETED c', 'BOOKMARK '];

  for (const [what, body] of [
    ['one line each', `${lines.join('\n')}\n`],
    ['with CRLF line ends', `${lines.join('\r\n')}\r\n`],
    ['with empty CRLF lines between them', `\r\n${lines.join('\r\n\r\n')}\r\n\r\n`],
    ['with blank lines between them', ` \n${lines.join('\n\t \n')}\n \t`],
    ['with empty lines between them', `\n${lines.join('\n\n\n')}\n\n`],
    ['without a final line end', lines.join('\n')],
  ] as const) {
    it(`watch events are parsed for any chunks: ${what}`, async () => {
      const bytes = Buffer.from(body);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length })), async (cuts) => {
          const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
          const parts = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
          assert.deepEqual(await read(chunks(...parts)), expected);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('watch events keep numbers beyond 2^53', async () => {
    const body = '{"type":"ADDED","object":{"metadata":{"name":"a"},"n":9007199254740993}}\n';
    for await (const { object } of eventsOf(chunks(body), 1000)) assert.ok(isExactNumber(object['n']));
  });

  it('an ERROR event is thrown with its Status', async () => {
    const status = { kind: 'Status', status: 'Failure', reason: 'Expired', message: 'too old', code: 410 };
    const body = `${event('ADDED', 'a')}\n${JSON.stringify({ type: 'ERROR', object: status })}\n${event('ADDED', 'b')}\n`;
    const seen: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { object } of eventsOf(chunks(body), 1000)) seen.push(String(object.metadata.name));
      },
      (error) => error instanceof ApiError && error.status.code === 410 && error.status.reason === 'Expired',
    );
    assert.deepEqual(seen, ['a']);
  });

  for (const [what, line] of [
    ['no JSON', 'nonsense'],
    ['truncated JSON', '{"type":"ADDED","object":{"metadata"'],
    ['JSON that is not an object', '[]'],
    ['without an object', '{"type":"ADDED"}'],
    ['without metadata', '{"type":"ADDED","object":{}}'],
    ['of an unknown type', '{"type":"MOVED","object":{"metadata":{}}}'],
    ['longer than the limit', event('ADDED', 'x'.repeat(1000))],
    ['nested too deep', `{"type":"ADDED","object":{"metadata":${'['.repeat(600)}`],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ] as const) {
    it(`an invalid watch event is rejected: ${what}`, async () => {
      await assert.rejects(read(chunks(line, '\n')), (error) => error instanceof TransportError);
      await assert.rejects(read(chunks(line)), (error) => error instanceof TransportError);
    });
  }

  it('an ERROR event without a Status is an error', async () => {
    await assert.rejects(read(chunks('{"type":"ERROR","object":{"odd":1}}\n')), { name: 'ApiError' });
  });

  it('an incomplete watch event uses bounded memory', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 1000;
        yield Buffer.alloc(1000, 'x');
      }
    }
    await assert.rejects(read(endless(), 50_000), /longer than 50000 bytes/);
    assert.ok(sent <= 51_000);
  });
});

describe('line splitter', () => {
  it('any bytes are split into their lines, for any chunks', () => {
    const texts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(texts, (parts) => {
        const whole = Buffer.concat(parts);
        const cutter = new LineCutter(10_000);
        const lines = parts.flatMap((part) =>
          [...cutter.cut(part)].map((line) => Buffer.from(line).toString('latin1')),
        );
        const rest = Buffer.from(cutter.rest()).toString('latin1');
        const all = whole.toString('latin1').split('\n');
        assert.equal(rest, all.at(-1));
        assert.deepEqual(
          lines,
          all.slice(0, -1).filter((line) => line !== ''),
        );
      }),
    );
  });

  it('a line within one chunk is not copied', () => {
    const chunk = Buffer.from('one\ntwo\n');
    const lines = [...new LineCutter(10).cut(chunk)];
    assert.ok(lines.every((line) => line.buffer === chunk.buffer));
  });
});

describe('watches of resources', () => {
  for (const [options, query] of [
    [{}, 'watch=true'],
    [
      {
        labelSelector: 'a=b',
        fieldSelector: 'x=y',
        resourceVersion: '5',
        resourceVersionMatch: 'NotOlderThan',
        allowBookmarks: true,
        sendInitialEvents: true,
        timeoutSeconds: 300,
      },
      'watch=true&labelSelector=a%3Db&fieldSelector=x%3Dy&resourceVersion=5&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&sendInitialEvents=true&timeoutSeconds=300',
    ],
    [{ allowBookmarks: false, resourceVersion: '0' }, 'watch=true&resourceVersion=0'],
  ] as const satisfies readonly (readonly [WatchOptions, string])[]) {
    it(`the request of a watch has its options: ${query}`, async () => {
      await using api = await served(() => ({ body: '' }));
      for await (const _ of api.client.resource(configMaps, 'ns').watch(options))
        assert.fail('no event was sent');
      assert.equal(api.seen[0]?.target, `/api/v1/namespaces/ns/configmaps?${query}`);
    });
  }

  it('a watch delivers events on arrival with their kind, and ends with the server', async () => {
    let response: ServerResponse | undefined;
    await using api = await served((_, one) => {
      response = one;
      one.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
      return undefined;
    });
    const events: WatchEvent[] = [];
    for await (const one of api.client.resource(configMaps, 'ns').watch()) {
      events.push(one);
      if (events.length === 1) response?.write(`${event('DELETED', 'a')}\n`);
      else response?.end();
    }
    assert.deepEqual(events, [
      { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } } },
      { type: 'DELETED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } } },
    ]);
  });

  it('a watch tells when the server has accepted it, before its first event, and not when it was refused', async () => {
    let refuses = false;
    await using api = await served((_, response) => {
      if (refuses) return { status: 403, body: {} };
      response.flushHeaders();
      return undefined;
    });
    const opened = async (watch: (onOpen: () => void) => AsyncIterable<unknown>): Promise<boolean> =>
      new Promise((resolve) => {
        const open = () => resolve(true);
        watch(open)
          [Symbol.asyncIterator]()
          .next()
          .catch(() => resolve(false));
      });
    const { client } = api;
    for (refuses of [false, true]) {
      assert.equal(await opened((onOpen) => client.resource(configMaps).watch({ onOpen })), !refuses);
      assert.equal(await opened((onOpen) => client.tables(configMaps).watch({ onOpen })), !refuses);
    }
    assert.match(api.seen[0]?.target ?? '', /\/configmaps\?watch=true$/);
  });

  it('a watch has no deadline after its head', async () => {
    let response: ServerResponse | undefined;
    await using api = await served((_, one) => {
      response = one;
      one.write(`${event('ADDED', 'a')}\n`);
      return undefined;
    });
    const watch = api.client.resource(configMaps, 'ns').watch()[Symbol.asyncIterator]();
    await watch.next();
    const next = watch.next();
    await api.env.clock.advanceAsync(24 * 3600_000);
    response?.write(`${event('ADDED', 'b')}\n`);
    assert.equal((await next).value?.object.metadata.name, 'b');
    await watch.return?.();
  });

  it('an interrupted watch fails', async () => {
    await using api = await served((_, response) => {
      response.write(`${event('ADDED', 'a')}\n{"type":`);
      setImmediate(() => response.destroy());
      return undefined;
    });
    await assert.rejects(
      async () => {
        for await (const _ of api.client.resource(configMaps, 'ns').watch());
      },
      { name: 'TransportError' },
    );
  });

  it('a rejected watch throws the Status of the server', async () => {
    await using api = await served(() => ({
      status: 410,
      body: { kind: 'Status', reason: 'Expired', code: 410 },
    }));
    await assert.rejects(
      async () => {
        for await (const _ of api.client.resource(configMaps, 'ns').watch({ resourceVersion: '1' }));
      },
      (error) => error instanceof ApiError && error.status.reason === 'Expired',
    );
  });

  it('a watch ends at the server when the loop is left or the signal aborts', async () => {
    let ended = 0;
    await using api = await served((_, response) => {
      response.once('close', () => ended++);
      response.write(`${event('ADDED', 'a')}\n`);
      return undefined;
    });
    const c = api.client.resource(configMaps, 'ns');
    const stop = new AbortController();
    for await (const _ of c.watch({}, stop.signal)) break;
    await assert.rejects(
      async () => {
        for await (const _ of c.watch({}, stop.signal)) stop.abort(new Error('enough'));
      },
      { message: 'enough' },
    );
    while (ended < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
    assert.equal(api.env.clock.pending, 0);
  });
});
