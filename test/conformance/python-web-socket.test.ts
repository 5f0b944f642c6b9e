import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, observations, pythonWith } from '@orch/testkit';

const folder = join(import.meta.dirname, 'python');
const python = await pythonWith(join(folder, 'requirements.txt'), 'websocket-client');
const names = namesFor('kubernetes');
const { binary, base64Binary } = names.webSocketProtocols;
const configMaps = '/api/v1/namespaces/default/configmaps';

/** A line of the program: a frame, or how the connection began or ended. */
interface Line {
  readonly protocol?: string | null;
  readonly kind?: string;
  readonly payload?: string;
  readonly closed?: number;
  readonly refused?: number;
  readonly body?: string;
}

interface Options {
  readonly protocols?: readonly string[];
  readonly header?: readonly string[];
  readonly anonymous?: boolean;
  readonly ping?: boolean;
}

const payloadOf = ({ payload = '' }: Line): Buffer => Buffer.from(payload, 'base64');

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly code?: number;
    readonly metadata: {
      readonly name?: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

const eventOf = (text: string): WatchEvent => JSON.parse(text) as WatchEvent;

if (python.kind === 'missing') {
  describe('watches of websocket-client for Python', () => {
    it.skip(`websocket-client for Python watches over WebSocket: ${python.reason}`, () => {});
  });
} else {
  const { run } = python;

  describe('watches of websocket-client for Python', { timeout: 180_000 }, () => {
    const work = mkdtempSync(join(tmpdir(), 'orch-certs-'));
    let etcd: Awaited<ReturnType<typeof startEtcd>>;
    let server: LaunchedServer;
    before(async () => {
      etcd = await startEtcd();
      const options = { naming: 'kubernetes', etcd: etcd.endpoints, certDir: work } as const;
      await using writer = await launchServer(options);
      const made = await writer.client.post(configMaps, { metadata: { name: 'a' }, data: { k: 'ä✓' } });
      assert.equal(made.status, 201, made.text);
      const { metadata } = made.json as { metadata: { resourceVersion: string } };
      const compaction = await fetch(`${etcd.endpoints[0]}/v3/kv/compaction`, {
        method: 'POST',
        body: JSON.stringify({ revision: metadata.resourceVersion }),
      });
      assert.equal(compaction.status, 200);
      // A server that starts now knows no earlier events.
      server = await launchServer({ ...options, args: ['--authorization-mode=RBAC'] });
      const { ca, cert, key } = server.config;
      for (const [name, content] of Object.entries({ 'ca.crt': ca, 'client.crt': cert, 'client.key': key }))
        if (content !== undefined) writeFileSync(join(work, name), content);
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    });

    /** The lines that the client receives from a watch of one config map, which ends after a second. */
    const watch = async (query = '', options: Options = {}): Promise<readonly Line[]> => {
      const selected = `watch=1&timeoutSeconds=1&fieldSelector=metadata.name=a${query}`;
      const url = `wss://127.0.0.1:${server.port}${configMaps}?${selected}`;
      return observations<Line>(await run(join(folder, 'watch.py'), [url, work, JSON.stringify(options)]));
    };
    const closedNormally = { closed: 1000, reason: '' };

    it('websocket-client receives each event as a text frame, then bookmarks, and 1000 at the end', async () => {
      const initial = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const [first, added, bookmark, ...rest] = await watch(initial, { ping: true });
      assert.deepEqual(first, { protocol: null });
      const frames = [added, bookmark, ...rest].filter((line) => line?.kind === 'text');
      const events = frames.map((line) => eventOf(payloadOf(line ?? {}).toString()));
      assert.deepEqual(
        events.slice(0, 2).map(({ type, object }) => [type, object.metadata.name]),
        [
          ['ADDED', 'a'],
          ['BOOKMARK', undefined],
        ],
      );
      assert.equal(events[1]?.object.metadata.annotations?.[names.annotations.initialEventsEnd], 'true');
      const pong = [added, bookmark, ...rest].find((line) => line?.kind === 'pong');
      assert.equal(payloadOf(pong ?? {}).toString(), 'are you there');
      assert.deepEqual(rest.at(-1), closedNormally);
    });

    it('websocket-client receives Protobuf events as binary frames', async () => {
      const header = [`Accept: ${names.mediaTypes.protobuf};stream=watch`];
      const [, event, end] = await watch('', { header });
      assert.equal(event?.kind, 'binary');
      assert.equal(payloadOf(event).subarray(0, 7).toString('latin1'), '\n\x05ADDED');
      assert.deepEqual(end, closedNormally);
    });

    it('websocket-client chooses binary or Base64 frames by a sub-protocol', async () => {
      const [accepted, event] = await watch('', { protocols: [binary] });
      assert.deepEqual([accepted, event?.kind], [{ protocol: binary }, 'binary']);
      assert.equal(eventOf(payloadOf(event ?? {}).toString()).object.metadata.name, 'a');
      const [encoded, text, end] = await watch('', { protocols: ['unknown.example.com', base64Binary] });
      assert.deepEqual([encoded, text?.kind], [{ protocol: base64Binary }, 'text']);
      const decoded = Buffer.from(payloadOf(text ?? {}).toString(), 'base64').toString();
      assert.deepEqual([eventOf(decoded).type, decoded.includes('ä✓')], ['ADDED', true]);
      assert.deepEqual(end, closedNormally);
    });

    it('websocket-client receives the error of a watch as an event, and then the normal end', async () => {
      const lines = await watch('&resourceVersion=1');
      const events = lines
        .filter(({ kind }) => kind === 'text')
        .map((line) => eventOf(String(payloadOf(line))));
      const [error] = events;
      assert.deepEqual([error?.type, error?.object.kind, error?.object.code], ['ERROR', 'Status', 410]);
      assert.deepEqual(lines.at(-1), closedNormally);
    });

    it('websocket-client receives refusals over HTTP: 400 for a malformed watch, 403 without a permission', async () => {
      const [malformed] = await watch('&resourceVersion=x');
      assert.equal(malformed?.refused, 400);
      assert.equal((JSON.parse(malformed?.body ?? '') as { kind: string }).kind, 'Status');
      const [forbidden] = await watch('', { anonymous: true });
      assert.ok(forbidden?.refused === 401 || forbidden?.refused === 403, JSON.stringify(forbidden));
    });
  });
}
