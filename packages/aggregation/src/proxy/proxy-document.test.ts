import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { AggregationFixture, availabilityOf, GROUP, podAddress } from '../testing/aggregation-fixture.ts';
import { ExtensionServer, json } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1`;
const late = `API service "v1.${GROUP}": it sent no document within 2000 ms`;

/** A server that accepts connections and sends nothing. */
async function silentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    sockets,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The answer to a request for the document, whose time runs out once `isWaiting`. */
async function afterDeadline(f: AggregationFixture, isWaiting: () => boolean) {
  const answered = f.api.get(path);
  await until(isWaiting, 'the request waits for the server');
  await f.api.env.clock.advanceAsync(2_000);
  const { status, json: body, headers } = await answered;
  return { status, message: body.message, retryAfter: headers['Retry-After'] };
}

const refused = { status: 503, message: late, retryAfter: undefined };

for (const protocol of ['h2', 'http/1.1'] as const)
  describe(`requests for the discovery document of an extension API server over ${protocol}`, () => {
    it('requests for the discovery document of an extension API server end after two seconds when a server that was not checked yet does not answer', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      extension.stream = () => true;
      extension.answer = () => undefined;
      await using f = await AggregationFixture.open();
      await f.service({ port: extension.port });
      await f.register(extension);
      await until(() => extension.ownRequests > 0, 'the check that is not answered');
      assert.deepEqual(await afterDeadline(f, () => extension.requests.length === 1), refused);
    });

    it('requests for the discovery document of an extension API server end after two seconds when a server has died silently since its last check, and it is checked again', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      extension.answer = () => undefined;
      extension.stream = () => true;
      assert.deepEqual(await afterDeadline(f, () => extension.requests.length === 1), refused);
      await f.api.env.clock.advanceAsync(1_000);
      const { ownRequests } = extension;
      await until(() => extension.ownRequests >= ownRequests, 'the check');
      await f.api.env.clock.advanceAsync(5_000);
      await until(
        async () => ((await availabilityOf(f.api)) as { reason?: string }).reason === 'FailedDiscoveryCheck',
        'the failed check',
      );
      assert.match((await f.api.get(path)).json.message, /failing or missing response/);
      assert.equal(extension.requests.length, 1);
    });

    it('requests for the discovery document of an extension API server end after two seconds when the document is not complete', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      let isBegun = false;
      extension.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"kind":', () => {
          isBegun = true;
        });
      };
      assert.deepEqual(await afterDeadline(f, () => isBegun), refused);
    });

    it('requests for the discovery document of an extension API server are answered by the server each time, for the user', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      extension.answer = (request, response) => {
        if (request.headers['if-none-match'] !== '"1"') {
          response.setHeader('etag', '"1"');
          return json(response, { kind: 'APIResourceList', user: request.headers['x-remote-user'] });
        }
        response.writeHead(304, { etag: '"1"' });
        response.end();
      };
      const first = await f.api.get(path, { headers: { 'x-remote-user': 'mallory' } });
      const etag = new Headers(first.headers as Record<string, string>).get('etag');
      assert.deepEqual([first.status, etag], [200, '"1"']);
      assert.notEqual(first.json.user, 'mallory');
      assert.equal((await f.api.get(path, { headers: { 'if-none-match': '"1"' } })).status, 304);
      assert.equal(extension.requests.length, 2);
    });

    it('requests for the discovery document of an extension API server are answered with 503 when the document is larger than 1 MB', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      extension.answer = (_request, response) => {
        response.writeHead(200);
        response.end(Buffer.alloc(1024 * 1024 + 1, ' '));
      };
      const { status, json: body } = await f.api.get(path);
      assert.deepEqual(
        [status, body.message],
        [503, `API service "v1.${GROUP}": its answer is larger than 1048576 bytes`],
      );
    });
  });

describe('requests for the discovery document of an extension API server that cannot be connected to', () => {
  it('requests for the discovery document of an extension API server that cannot be connected to end after two seconds while connections are accepted without a handshake, regardless of the number of endpoints', async () => {
    await using silent = await silentServer();
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    const addresses = [podAddress(0), podAddress(1), podAddress(2)];
    await f.service({ port: silent.port, addresses });
    await f.register(extension);
    await until(() => silent.sockets.length >= 3, 'the check of three endpoints');
    assert.deepEqual(await afterDeadline(f, () => true), refused);
  });

  it('requests for the discovery document of an extension API server that cannot be connected to are answered at once with 503 while connections are refused, without a request to repeat them', async () => {
    const refusing = new Set<string>();
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open({ refused: refusing });
    await f.extend(extension);
    refusing.add(podAddress());
    await extension.stop();
    const { status, headers } = await f.api.get(path);
    assert.deepEqual([status, headers['Retry-After']], [503, undefined]);
  });
});
