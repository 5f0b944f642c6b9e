import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { head, reader } from '@orch/http/testing';
import { answered, backend, connectFixture, exchanged, namespace } from '../testing/connect-fixture.ts';

const logRequest = (query: string): string =>
  head(`GET ${namespace}/pods/p/log${query} HTTP/1.1`, 'Connection: close');

describe('logs of containers', () => {
  for (const [query, expected] of [
    ['', '/containerLogs/default/p/c'],
    ['?container=c', '/containerLogs/default/p/c'],
    [
      '?follow=true&previous=1&timestamps',
      '/containerLogs/default/p/c?follow=true&previous=true&timestamps=true',
    ],
    ['?follow=false&tailLines=0&limitBytes=5', '/containerLogs/default/p/c?tailLines=0&limitBytes=5'],
    ['?sinceSeconds=60', '/containerLogs/default/p/c?sinceSeconds=60'],
    [
      '?sinceTime=2024-01-01T01:00:00%2B01:00',
      '/containerLogs/default/p/c?sinceTime=2024-01-01T00%3A00%3A00Z',
    ],
  ] as const) {
    it(`a log request ${query || 'without options'} sends ${expected} to the agent`, async () => {
      await using agent = await backend({
        tls: true,
        answer: (socket) => socket.end(answered('200 OK', 'one\ntwo\n')),
      });
      await using f = await connectFixture();
      await f.node(agent.port);
      await f.pod('p');
      const text = await exchanged(f, logRequest(query));
      assert.match(text, /^HTTP\/1\.1 200 [\s\S]*\r\nContent-Length: 8\r\n[\s\S]*\r\n\r\none\ntwo\n$/);
      assert.equal(agent.received().split('\r\n')[0], `GET ${expected} HTTP/1.1`);
      assert.doesNotMatch(agent.received(), /authorization/i);
    });
  }

  for (const [query, code, message] of [
    ['?tailLines=-1', 422, /tailLines: Invalid value: -1: must be greater than or equal to 0/],
    ['?limitBytes=0', 422, /limitBytes: Invalid value: 0: must be greater than 0/],
    ['?sinceSeconds=0', 422, /sinceSeconds: Invalid value/],
    ['?sinceSeconds=1&sinceTime=2024-01-01T00:00:00Z', 422, /at most one of `sinceTime` or `sinceSeconds`/],
    ['?tailLines=-1&limitBytes=0', 422, /tailLines.*limitBytes/],
    ['?tailLines=x', 400, /tailLines must be an integer/],
    ['?sinceTime=yesterday', 400, /sinceTime must be an RFC 3339 time/],
    ['?container=z', 400, /container z is not valid for pod p/],
  ] as const) {
    it(`a log request with ${query} is refused with ${code}`, async () => {
      await using f = await connectFixture();
      await f.node(1);
      await f.pod('p');
      const text = await exchanged(f, logRequest(query));
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${code} `));
      assert.match(text, message);
      assert.deepEqual(f.dialed, []);
    });
  }

  for (const [logStreams, query, expected] of [
    ['selectable', '?stream=Stderr', '/containerLogs/default/p/c?stream=Stderr'],
    ['selectable', '?stream=All&tailLines=3', '/containerLogs/default/p/c?tailLines=3&stream=All'],
    ['selectable', '', '/containerLogs/default/p/c'],
    ['ignored', '?stream=Stderr&tailLines=3', '/containerLogs/default/p/c?tailLines=3'],
  ] as const) {
    it(`a log request with ${query || 'no stream'} sends ${expected} where streams are ${logStreams}`, async () => {
      await using agent = await backend({
        tls: true,
        answer: (socket) => socket.end(answered('200 OK', 'one\n')),
      });
      await using f = await connectFixture({ logStreams });
      await f.node(agent.port);
      await f.pod('p');
      assert.match(await exchanged(f, logRequest(query)), /^HTTP\/1\.1 200 /);
      assert.equal(agent.received().split('\r\n')[0], `GET ${expected} HTTP/1.1`);
    });
  }

  for (const [logStreams, query, message] of [
    ['forbidden', '?stream=All', /stream: Forbidden: it requires the feature gate PodLogsQuerySplitStreams/],
    ['forbidden', '?stream=', /stream: Forbidden/],
    ['selectable', '?stream=stdout', /stream: Unsupported value: \W*stdout/],
    ['selectable', '?stream=', /stream: Unsupported value/],
    ['selectable', '?stream=Stdout&tailLines=3', /`tailLines` may only be combined with the stream `All`/],
  ] as const) {
    it(`a log request with ${query} is refused with 422 where streams are ${logStreams}`, async () => {
      await using f = await connectFixture({ logStreams });
      await f.node(1);
      await f.pod('p');
      const text = await exchanged(f, logRequest(query));
      assert.match(text, /^HTTP\/1\.1 422 /);
      assert.match(text, message);
      assert.deepEqual(f.dialed, []);
    });
  }

  it('the log of a pod that has no node is empty, once its container is known', async () => {
    await using f = await connectFixture();
    await f.pod('p', { nodeName: '' });
    for (const [query, answer] of [
      ['', /^HTTP\/1\.1 204 No Content\r\n[\s\S]*\r\n\r\n$/],
      ['?container=z', /^HTTP\/1\.1 400 [\s\S]*container z is not valid for pod p/],
    ] as const) {
      const socket = await f.server.connect();
      const out = reader(socket);
      socket.write(logRequest(query));
      await out.until(answer);
      socket.destroy();
    }
  });

  it('a log is streamed, and the agent connection closes when the client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<import('node:net').Socket>();
    await using agent = await backend({
      tls: true,
      answer(socket) {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst\n\r\n');
        resolve(socket);
      },
    });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(logRequest('?follow=true'));
    await out.until(/first\n/);
    (await promise).write('7\r\nsecond\n\r\n');
    await out.until(/second\n/);
    socket.destroy();
    await agent.idle();
  });

  it('a followed log ends with an error when the server stops', async () => {
    await using agent = await backend({
      tls: true,
      answer: (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfirst\n\r\n'),
    });
    await using f = await connectFixture();
    await f.node(agent.port);
    await f.pod('p');
    const socket = await f.server.connect();
    const out = reader(socket);
    socket.write(logRequest('?follow=true'));
    await out.until(/first\n/);
    const drained = f.server.listener.drain(new AbortController().signal);
    f.api.env.clock.advance(5_001);
    await out.closed;
    await drained;
    assert.doesNotMatch(out.text(), /0\r\n\r\n$/);
    assert.deepEqual(
      f.server.logged.filter(({ level }) => level === 'error'),
      [],
    );
  });
});
