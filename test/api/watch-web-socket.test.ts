import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { namesFor } from '@orch/machinery';
import { acceptOf, type LaunchedServer, launchServer } from '@orch/testkit';

const KEY = 'MDAwMDAwMDAwMDAwMDAwMA==';
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PONG = 10;

interface Received {
  readonly kind: number;
  readonly payload: Buffer;
}

/** The head of an answer and, after a 101, the frames until the connection ends. */
interface Answer {
  readonly status: number;
  readonly head: string;
  readonly frames: readonly Received[];
}

/** A frame of a client, masked with zeros. */
const clientFrame = (kind: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x80 | kind, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

function framesOf(bytes: Buffer): readonly Received[] {
  const frames: Received[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes.readUInt8(at + 1);
    const start = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
    const size =
      short === 126
        ? bytes.readUInt16BE(at + 2)
        : short === 127
          ? Number(bytes.readBigUInt64BE(at + 2))
          : short;
    frames.push({ kind: bytes.readUInt8(at) & 0x0f, payload: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return frames;
}

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`watches over WebSocket, ${naming} names`, { concurrency: true, timeout: 120_000 }, () => {
    const names = namesFor(naming);
    const { binary, base64Binary, bearerPrefix } = names.webSocketProtocols;
    let server: LaunchedServer;
    before(async () => {
      server = await launchServer({ naming, args: ['--authorization-mode=RBAC'] });
    });
    after(() => server?.[Symbol.asyncDispose]());

    const open = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<TLSSocket> => {
      const { ca, cert, key } = server.config;
      const presentsToken = fields['sec-websocket-protocol']?.includes(bearerPrefix);
      const identity = presentsToken ? {} : { cert, key };
      const socket = connect({
        host: '127.0.0.1',
        port: server.port,
        ca,
        ...identity,
        ALPNProtocols: ['http/1.1'],
      });
      await once(socket, 'secureConnect');
      const head = {
        host: `127.0.0.1:${server.port}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': KEY,
        ...fields,
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      return socket;
    };

    const readAll = async (socket: TLSSocket): Promise<Answer> => {
      const chunks: Buffer[] = [];
      const refused = Promise.withResolvers<void>();
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        const text = Buffer.concat(chunks.slice(0, 2)).toString('latin1');
        if (!text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) refused.resolve();
      });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'end'), once(socket, 'close'), refused.promise]);
      socket.destroy();
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const head = all.subarray(0, end).toString();
      const status = Number(head.slice(9, 12));
      return { status, head, frames: status === 101 ? framesOf(all.subarray(end + 4)) : [] };
    };

    const watch = async (path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> =>
      readAll(await open(path, fields));

    const one = 'fieldSelector=metadata.name=default';
    const query = `watch=1&timeoutSeconds=1&${one}`;
    const namespaces = `/api/v1/namespaces?${query}`;
    const normal = Buffer.from([3, 232]);

    it('each event is one text frame, and the end of the watch closes the connection with 1000', async () => {
      const { status, head, frames } = await watch(namespaces);
      assert.equal(status, 101);
      assert.match(head, new RegExp(`sec-websocket-accept: ${acceptOf(KEY).replace(/[+/]/g, '\\$&')}`, 'i'));
      assert.doesNotMatch(head, /sec-websocket-protocol/i);
      const [event, end, ...rest] = frames;
      assert.equal(event?.kind, TEXT);
      const { type, object } = JSON.parse(event.payload.toString());
      assert.deepEqual([type, object.kind, object.metadata.name], ['ADDED', 'Namespace', 'default']);
      assert.deepEqual([end, rest], [{ kind: CLOSE, payload: normal }, []]);
    });

    it('every watch path is upgraded: deprecated ones, single objects, tables and metadata', async () => {
      const meta = names.group('meta');
      for (const [path, accept, kind] of [
        [`/api/v1/watch/namespaces/default?timeoutSeconds=1`, 'application/json', 'Namespace'],
        [`/api/v1/watch/namespaces?timeoutSeconds=1&${one}`, 'application/json', 'Namespace'],
        [namespaces, `application/json;as=Table;v=v1;g=${meta}`, 'Table'],
        [namespaces, `application/json;as=PartialObjectMetadata;v=v1;g=${meta}`, 'PartialObjectMetadata'],
      ] as const) {
        const { status, frames } = await watch(path, { accept });
        assert.equal(status, 101, `${path} ${accept}`);
        const event = JSON.parse(String(frames[0]?.payload));
        assert.deepEqual([event.type, event.object.kind], ['ADDED', kind]);
      }
    });

    it('Protobuf events are binary frames without the length of a stream', async () => {
      const { frames } = await watch(namespaces, { accept: `${names.mediaTypes.protobuf};stream=watch` });
      const [event, end] = frames;
      assert.equal(event?.kind, BINARY);
      assert.equal(event.payload.subarray(0, 7).toString('latin1'), '\n\x05ADDED');
      assert.equal(end?.kind, CLOSE);
    });

    it('the sub-protocol selects binary frames or Base64 in text frames, and unknown ones are not chosen', async () => {
      const base64 = await watch(namespaces, { 'sec-websocket-protocol': `other, ${base64Binary}` });
      assert.match(base64.head, new RegExp(`sec-websocket-protocol: ${base64Binary}`, 'i'));
      assert.equal(base64.frames[0]?.kind, TEXT);
      const text = Buffer.from(String(base64.frames[0]?.payload), 'base64').toString();
      assert.equal(JSON.parse(text).object.metadata.name, 'default');
      const inBinary = await watch(namespaces, { 'sec-websocket-protocol': binary });
      assert.equal(inBinary.frames[0]?.kind, BINARY);
      const other = await watch(namespaces, { 'sec-websocket-protocol': 'other' });
      assert.deepEqual([other.status, /sec-websocket-protocol/i.test(other.head)], [101, false]);
    });

    it('changes, bookmarks and errors are events, in the order of the watch', async () => {
      const maps = '/api/v1/namespaces/default/configmaps';
      const socket = await open(
        `${maps}?watch=1&timeoutSeconds=3&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name=m`,
      );
      const answer = readAll(socket);
      await once(socket, 'data');
      await server.client.post(maps, { metadata: { name: 'm' }, data: { large: 'x'.repeat(100_000) } });
      await server.client.send('DELETE', `${maps}/m`);
      const { frames } = await answer;
      const types = frames
        .filter(({ kind }) => kind === TEXT)
        .map(({ payload }) => JSON.parse(String(payload)).type);
      assert.deepEqual(
        types.filter((type) => type !== 'BOOKMARK'),
        ['ADDED', 'DELETED'],
      );
    });

    it('a ping is answered, and the close of a client ends the watch at once', async () => {
      const socket = await open(`/api/v1/namespaces?watch=1&timeoutSeconds=100&${one}`);
      const answer = readAll(socket);
      await once(socket, 'data');
      socket.write(clientFrame(9, Buffer.from('echo')));
      socket.write(clientFrame(CLOSE, normal));
      const { frames } = await answer;
      const pong = frames.find(({ kind }) => kind === PONG);
      assert.deepEqual(
        [pong?.payload, frames.at(-1)],
        [Buffer.from('echo'), { kind: CLOSE, payload: normal }],
      );
    });

    it('a frame that is not valid closes the connection with 1002', async () => {
      const socket = await open(`/api/v1/namespaces?watch=1&timeoutSeconds=100&${one}`);
      const answer = readAll(socket);
      await once(socket, 'data');
      socket.write(Buffer.from([0x81, 0x01, 0x41, 0, 0, 0, 0]));
      assert.deepEqual((await answer).frames.at(-1), { kind: CLOSE, payload: Buffer.from([3, 234]) });
    });

    it('a request that is refused gets its Status over HTTP', async () => {
      for (const [path, fields, code] of [
        [`${namespaces}&resourceVersion=x`, {}, 400],
        [namespaces, { 'sec-websocket-version': '12' }, 400],
        [namespaces, { 'sec-websocket-key': 'short' }, 400],
      ] as const)
        assert.equal((await watch(path, fields)).status, code, JSON.stringify(fields));
    });

    it('a token among the sub-protocols authenticates the watch, and is not repeated in the answer', async () => {
      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      await server.client.post(accounts, { metadata: { name: 'watcher' } });
      const review = await server.client.post(`${accounts}/watcher/token`, { spec: {} });
      const { status: issued } = review.json as { readonly status: { readonly token: string } };
      const token = Buffer.from(issued.token).toString('base64url');
      const watchAs = (encoded: string) =>
        watch('/api/v1/namespaces?watch=1&timeoutSeconds=1', {
          'sec-websocket-protocol': `${bearerPrefix}${encoded}, ${binary}`,
          origin: 'https://dashboard.example.com',
        });
      assert.equal((await watchAs(token)).status, 403);
      const rbac = `/apis/${names.group('rbac')}/v1/clusterrolebindings`;
      await server.client.post(rbac, {
        metadata: { name: 'watcher' },
        roleRef: { apiGroup: names.group('rbac'), kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'watcher', namespace: 'default' }],
      });
      const { status, head, frames } = await watchAs(token);
      assert.equal(status, 101);
      assert.match(head, new RegExp(`sec-websocket-protocol: ${binary}\\r`, 'i'));
      assert.doesNotMatch(head, /bearer/i);
      assert.equal(frames[0]?.kind, BINARY);
      assert.equal((await watchAs(`${token}AA`)).status, 401);
    });

    it('a page of another origin cannot use a client certificate, and one of the same origin can', async () => {
      assert.equal((await watch(namespaces, { origin: 'https://evil.example.com' })).status, 403);
      assert.equal((await watch(namespaces, { origin: 'null' })).status, 403);
      assert.equal((await watch(namespaces, { origin: `https://127.0.0.1:${server.port}` })).status, 101);
    });
  });
