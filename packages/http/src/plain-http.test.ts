import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { testServer } from './testing/index.ts';

/** What the server sends on a connection that begins with these bytes instead of TLS, until it closes the connection. */
async function exchangePlain(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

describe('plain HTTP on the port of TLS', { timeout: 60_000 }, () => {
  for (const method of ['GET', 'POST', 'PUT', 'HEAD'])
    it(`a plain ${method} request is answered with 400 and the reason`, async () => {
      await using server = await testServer();
      const answer = await exchangePlain(
        server.port,
        `${method} /version HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.0 400 Bad Request\r\n/);
      assert.match(answer, /\r\n\r\nClient sent an HTTP request to an HTTPS server\.\n$/);
    });

  it('clients that reset plain connections do not end the server', async () => {
    await using server = await testServer();
    const resets = Array.from({ length: 50 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\n\r\n', () => socket.resetAndDestroy());
      await once(socket, 'close');
    });
    await Promise.all(resets);
    assert.match(await exchangePlain(server.port, 'GET / HTTP/1.1\r\n\r\n'), / 400 Bad Request/);
  });

  it('other bytes that are not TLS get no answer', async () => {
    await using server = await testServer();
    assert.equal(await exchangePlain(server.port, 'SSH-2.0-client\r\n'), '');
  });
});
