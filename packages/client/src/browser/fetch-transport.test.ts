import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { get, http1Peer, post, soon, textOf } from '../transport/testing/peers.ts';
import { TransportError } from '../transport/transport.ts';
import { type FetchTransportOptions, fetchTransport } from './fetch-transport.ts';

/** A server that answers with the request that it got; `/endless` never ends and `/cut` ends within its body. */
const peer = () =>
  http1Peer(async (request, response) => {
    if (request.url === '/base/endless' || request.url === '/base/cut') {
      response.writeHead(200, { 'content-length': 100 });
      response.write('first');
      if (request.url === '/base/cut') response.write('', () => request.socket.destroy());
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization, accept, 'user-agent': agent } = request.headers;
    if (request.url === '/base/moved') response.setHeader('location', '/base/x');
    response.writeHead(request.url === '/base/moved' ? 302 : 201, { 'x-one': 'a' });
    const { method, url } = request;
    response.end(
      JSON.stringify({
        ...{ method, url, authorization, accept },
        isOfProgram: agent === 'program/1',
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });

const open = async (options: Partial<FetchTransportOptions> = {}) => {
  const server = await peer();
  const transport = fetchTransport({ server: `${server.url}/base/`, ...options });
  return { server, transport, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

const outcomeOf = (expected: string) => (error: unknown) =>
  error instanceof TransportError && error.outcome === expected;

describe('the transport over fetch', () => {
  it('a request goes to the target below the address of the server, with the current token and the body', async () => {
    let tokens = 0;
    await using at = await open({ token: async () => `token-${++tokens}` });
    const first = await at.transport.send(post('/api?limit=5', 'text'), soon());
    assert.deepEqual([first.status, first.headers['x-one']], [201, 'a']);
    const sent = { method: 'POST', url: '/base/api?limit=5', authorization: 'Bearer token-1', accept: '*/*' };
    assert.deepEqual(JSON.parse(await textOf(first)), { ...sent, isOfProgram: false, body: 'text' });
    const second = get('/api', { accept: 'application/json', 'user-agent': 'program/1' });
    const answer = JSON.parse(await textOf(await at.transport.send(second, soon())));
    assert.deepEqual(
      [answer.authorization, answer.accept, answer.isOfProgram],
      ['Bearer token-2', 'application/json', false],
    );
  });

  for (const [what, target, outcome] of [
    ['a connection that is lost within the body', '/cut', 'unknown'],
    ['a redirect', '/moved', 'unknown'],
    ['a target that is not a path', 'https://example.com/', 'notSent'],
  ] as const)
    it(`a request is rejected with a TransportError for ${what}`, async () => {
      await using at = await open();
      await assert.rejects(
        async () => textOf(await at.transport.send(get(target), soon())),
        outcomeOf(outcome),
      );
    });

  it('a request without a server is rejected with a TransportError', async () => {
    const at = await open();
    await at[Symbol.asyncDispose]();
    await assert.rejects(at.transport.send(get('/'), soon()), outcomeOf('unknown'));
  });

  it('a body ends with the reason of the signal', async () => {
    await using at = await open();
    const stop = new AbortController();
    const { body } = await at.transport.send(get('/endless'), stop.signal);
    await assert.rejects(async () => {
      for await (const _ of body) stop.abort(new Error('enough'));
    }, /^Error: enough$/);
  });

  it('a reset ends current requests, and later ones are sent until the transport is closed', async () => {
    await using at = await open();
    const { body } = await at.transport.send(get('/endless'), soon());
    await assert.rejects(async () => {
      for await (const _ of body) at.transport.reset('moved on');
    }, /^TransportError: moved on$/);
    assert.equal((await at.transport.send(get('/'), soon())).status, 201);
    await at.transport.close();
    await assert.rejects(at.transport.send(get('/'), soon()), outcomeOf('notSent'));
  });

  for (const server of ['ftp://example.com', 'https://a:b@example.com', 'https://example.com/?a=b'])
    it(`the address ${server} is refused`, () => {
      assert.throws(() => fetchTransport({ server }), /server must be an http or https URL/);
    });
});
