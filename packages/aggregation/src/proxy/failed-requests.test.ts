import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { AggregationFixture, GROUP, podAddress } from '../testing/aggregation-fixture.ts';
import { ExtensionServer, json } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1/widgets`;
const addresses = [podAddress(0), podAddress(1), podAddress(2)];

/** Sends a request without a body over a socket, with the clock of the machine. */
async function send(f: AggregationFixture, fields: Readonly<Record<string, string>>) {
  const stream = f.server.http2().request({ authorization: 'Bearer secret', ...fields }, { endStream: true });
  const [headers] = await once(stream, 'response');
  let text = '';
  for await (const piece of stream) text += piece;
  return { status: headers[':status'], headers, text };
}

for (const protocol of ['h2', 'http/1.1'] as const)
  describe(`requests that an extension API server fails over ${protocol}`, () => {
    for (const [method, retryAfter] of [
      ['GET', '1'],
      ['POST', undefined],
      ['DELETE', undefined],
    ] as const)
      it(`requests that an extension API server fails are sent to one endpoint only, once they were sent: ${method}`, async () => {
        await using extension = await ExtensionServer.start({ protocols: [protocol] });
        await using f = await AggregationFixture.open();
        await f.extend(extension, { addresses });
        extension.answer = () => extension.breakConnections();
        const { status, headers, text } = await send(f, { ':method': method, ':path': path });
        assert.deepEqual([status, headers['retry-after']], [503, retryAfter]);
        assert.equal(extension.requests.length, 1, text);
      });

    it('requests that an extension API server fails end with 504 at their deadline, also at the server', async () => {
      await using extension = await ExtensionServer.start({ protocols: [protocol] });
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      let isClosed = false;
      extension.answer = (_request, response) =>
        void response.on('close', () => {
          isClosed = true;
        });
      const { status } = await send(f, { ':path': `${path}?timeout=300ms` });
      assert.equal(status, 504);
      await until(() => isClosed, 'the end of the request at the server');
    });
  });

describe('requests that an extension API server refuses over HTTP/2 without processing them', () => {
  it('requests that an extension API server refuses without processing them are sent again without a body, and with one not', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.extend(extension, { addresses });
    let isRefused = true;
    extension.answer = (_request, response) => {
      if (!isRefused) return json(response, {});
      isRefused = false;
      response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    };
    assert.equal((await f.api.get(path)).status, 200);
    assert.equal(extension.requests.length, 2);
    isRefused = true;
    const { status, headers } = await f.api.post(path, { a: 1 });
    assert.deepEqual([status, headers['Retry-After'], extension.requests.length], [503, undefined, 3]);
  });
});
