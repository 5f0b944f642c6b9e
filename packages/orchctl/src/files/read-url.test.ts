import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { httpProxy } from '@orch/client/testing';
import { systemEnv } from '@orch/machinery/env';
import { CommandError } from '../command-error.ts';
import { readUrl } from './read-url.ts';

const MAX_BYTES = 1000;

async function serving(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const read = (url: string, environment: Readonly<Record<string, string>> = {}): Promise<string> =>
  readUrl(url, { environment, env: systemEnv() }, MAX_BYTES);

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof CommandError && message.test(error.message);

describe('files at URLs', { timeout: 30_000 }, () => {
  it('files at URLs are read with path and query, and without compression', async () => {
    await using server = await serving((request, response) => {
      response.end(`${request.url} ${request.headers['accept-encoding'] ?? 'plain'}`);
    });
    assert.equal(await read(`${server.url}/a%20b.yaml?ref=main`), '/a%20b.yaml?ref=main plain');
  });

  it('files at URLs are read with the user of the URL, whose password no message has', async () => {
    await using server = await serving((request, response) => {
      if (request.url === '/secret') response.statusCode = 403;
      response.end(request.headers.authorization);
    });
    const url = server.url.replace('http://', 'http://us%3aer:p%40ss@');
    const expected = `Basic ${Buffer.from('us:er:p@ss').toString('base64')}`;
    assert.equal(await read(`${url}/file`), expected);
    await assert.rejects(
      read(`${url}/secret`),
      refused(/^http:\/\/127\.0\.0\.1:\d+\/secret cannot be read: the server responded with status 403$/),
    );
  });

  it('files at URLs are read after relative and absolute redirects, and no user follows to another server', async () => {
    await using other = await serving((request, response) => {
      response.end(`${request.url} ${request.headers.authorization}`);
    });
    await using server = await serving((request, response) => {
      const location = request.url === '/a' ? 'b' : `${other.url}/c`;
      response.writeHead(request.url === '/a' ? 301 : 307, { location }).end('elsewhere');
    });
    assert.equal(await read(`${server.url.replace('//', '//user:pass@')}/a`), '/c undefined');
  });

  for (const [title, message, answer] of [
    ['a redirect without end', /more than 10 redirects/, [302, { location: '/again' }, '']],
    ['a redirect without a location', /without a location/, [302, {}, '']],
    ['a redirect to another protocol', /redirects to null/, [302, { location: 'file:///etc/passwd' }, '']],
    ['an empty response with status 204', /status 204/, [204, {}, '']],
    ['a missing file', /status 404/, [404, {}, 'kind: Secret']],
    ['more bytes than permitted', /more than 1000 bytes/, [200, {}, 'x'.repeat(MAX_BYTES + 1)]],
    [
      'fewer bytes than announced',
      /cannot be read/,
      [200, { 'content-length': '9', connection: 'close' }, 'x'],
    ],
  ] as const)
    it(`files at URLs are refused for ${title}`, async () => {
      await using server = await serving((_, response) => {
        const [status, headers, body] = answer;
        response.strictContentLength = false;
        response.writeHead(status, headers).end(body, () => response.destroy());
      });
      await assert.rejects(read(`${server.url}/file`), refused(message));
    });

  it('files at URLs are read through the proxy of the environment', async () => {
    await using server = await serving((_, response) => response.end('kind: Pod'));
    await using proxy = await httpProxy();
    const url = server.url.replace('127.0.0.1', 'files.test');
    assert.equal(await read(`${url}/a`, { HTTP_PROXY: `127.0.0.1:${proxy.port}` }), 'kind: Pod');
    assert.deepEqual(proxy.targets, [new URL(url).host]);
  });
});
