import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { OutboundFailure } from '../message/failures.ts';
import { defaultConnectionLimits } from '../message/limits.ts';
import { readAnswer } from '../message/read-answer.ts';
import type { OutboundRequest } from '../message/request.ts';
import { noBody } from '../message/request.ts';
import { Http1Connections } from './connections.ts';

const { signal } = new AbortController();

const get: OutboundRequest = {
  ...{ method: 'GET', target: '/things?a=b', headers: { host: 'extension', 'x-remote-group': ['a', 'b'] } },
  ...{ bodyLength: 0, body: noBody, upgrade: undefined },
};

/** A server that writes bytes, and connections to it. */
class Fixture implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly connections = new Http1Connections(this.clock, defaultConnectionLimits);
  /** Connections at the server. */
  readonly sockets: Socket[] = [];
  received = '';
  readonly #server = createServer((socket) => {
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
      this.answer(socket);
    });
  });
  answer: (socket: Socket) => void = () => undefined;

  static async open(answer: (socket: Socket) => void = () => undefined): Promise<Fixture> {
    const fixture = new Fixture();
    fixture.answer = answer;
    fixture.#server.listen(0, '127.0.0.1');
    await once(fixture.#server, 'listening');
    return fixture;
  }

  /** Sends a request over a kept connection, or over a new one. */
  async request(request = get, aborted = signal) {
    return (this.connections.take() ?? (await this.#opened())).request(request, aborted);
  }

  /** The status and the body of an answer. */
  async text(request = get): Promise<string> {
    const answer = await this.request(request);
    if (answer.kind === 'upgraded') throw new TypeError('an upgrade');
    const body = Buffer.concat(await readAnswer(answer, 1_000_000, signal));
    return `${answer.status} ${body}`;
  }

  async #opened() {
    const socket = connect((this.#server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return this.connections.over(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connections.destroy();
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const ok = 'HTTP/1.1 200 OK\r\n';
const long = 'x'.repeat(200_000);

describe('requests to an extension API server over a kept HTTP/1.1 connection', () => {
  for (const [what, answer, expected] of [
    ['with a length', `${ok}Content-Length: 2\r\n\r\n{}`, '200 {}'],
    ['with a length and without a body', `${ok}Content-Length: 0\r\n\r\n`, '200 '],
    ['with a long body', `${ok}Content-Length: ${long.length}\r\n\r\n${long}`, `200 ${long}`],
    [
      'in chunks',
      `${ok}Transfer-Encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX-End: x\r\n\r\n`,
      '200 {}',
    ],
    [
      'after interim responses',
      `HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`,
      '200 {}',
    ],
    ['without content', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', '204 '],
  ] as const)
    it(`the answer ${what} is read to its end, and the connection carries the next request`, async () => {
      for (const isWhole of [true, false]) {
        await using f = await Fixture.open(async (socket) => {
          if (isWhole || answer.length > 1000) return void socket.write(answer);
          for (const byte of answer) await new Promise((resolve) => socket.write(byte, resolve));
        });
        for (let round = 0; round < 3; round += 1) assert.equal(await f.text(), expected);
        assert.equal(f.sockets.length, 1);
      }
    });

  for (const [what, answer] of [
    ['that closes the connection', `${ok}Connection: close\r\nContent-Length: 2\r\n\r\n{}`],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['with a byte behind it', `${ok}Content-Length: 2\r\n\r\n{}H`],
    ['without time for another request', `${ok}Keep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\n{}`],
  ] as const)
    it(`after an answer ${what} the next request is sent over another connection`, async () => {
      await using f = await Fixture.open((socket) => void socket.write(answer));
      assert.equal(await f.text(), '200 {}');
      assert.equal(await f.text(), '200 {}');
      assert.equal(f.sockets.length, 2);
    });

  it('an answer without a length is read to the end of the connection', async () => {
    await using f = await Fixture.open((socket) => void socket.end(`${ok}\r\n{}`));
    assert.equal(await f.text(), '200 {}');
  });

  it('the answer to HEAD has no body, whatever length it announces', async () => {
    await using f = await Fixture.open((socket) => void socket.write(`${ok}Content-Length: 9\r\n\r\n`));
    for (let round = 0; round < 2; round += 1) assert.equal(await f.text({ ...get, method: 'HEAD' }), '200 ');
    assert.equal(f.sockets.length, 1);
  });

  it('an idle connection is left before the server closes it, and after the time of this server', async () => {
    await using f = await Fixture.open();
    for (const [field, ms] of [
      ['Keep-Alive: timeout=5\r\n', 4_000],
      ['', defaultConnectionLimits.idleMs],
    ] as const) {
      f.answer = (socket) => void socket.write(`${ok}${field}Content-Length: 2\r\n\r\n{}`);
      await f.text();
      const socket = f.sockets.at(-1);
      f.clock.advance(ms - 1);
      assert.equal(socket?.readableEnded, false);
      f.clock.advance(1);
      await until(() => socket?.readableEnded === true, 'the end of the connection');
    }
    assert.equal(f.sockets.length, 2);
  });

  it('a body is sent in its length, or in chunks without an empty one', async () => {
    await using f = await Fixture.open((socket) => {
      if (f.received.endsWith('end') || f.received.endsWith('0\r\n\r\n'))
        socket.write(`${ok}Content-Length: 2\r\n\r\n{}`);
    });
    const body = async function* () {
      yield* [Buffer.from('first '), Buffer.alloc(0), Buffer.from('end')];
    };
    assert.equal(await f.text({ ...get, method: 'PUT', bodyLength: 9, body }), '200 {}');
    assert.match(f.received, /^PUT [\s\S]*\r\ncontent-length: 9\r\n\r\nfirst end$/);
    f.received = '';
    assert.equal(await f.text({ ...get, method: 'PUT', bodyLength: undefined, body }), '200 {}');
    assert.match(f.received, /chunked\r\n\r\n6\r\nfirst \r\n3\r\nend\r\n0\r\n\r\n$/);
    assert.equal(f.sockets.length, 1);
  });

  for (const bodyLength of [3, 20])
    it(`a body of another length than ${bodyLength} bytes, as announced, ends the connection`, async () => {
      await using f = await Fixture.open();
      const body = async function* () {
        yield Buffer.from('eight by');
      };
      await assert.rejects(f.request({ ...get, method: 'PUT', bodyLength, body }), /announced length/);
      await until(() => f.sockets.every((socket) => socket.destroyed));
    });

  it('a connection whose request was answered before its body was sent carries no other request', async () => {
    await using f = await Fixture.open(
      (socket) => void socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}'),
    );
    const body = async function* () {
      yield Buffer.from('x');
      await until(() => f.sockets[0]?.destroyed === true);
    };
    assert.equal(await f.text({ ...get, method: 'PUT', bodyLength: 10, body }), '413 {}');
    f.answer = (socket) => void socket.write(`${ok}Content-Length: 2\r\n\r\n{}`);
    assert.equal(await f.text(), '200 {}');
    assert.equal(f.sockets.length, 2);
  });

  it('fields and targets that would be read as others are not sent', async () => {
    await using f = await Fixture.open();
    for (const request of [
      { ...get, headers: { 'x-a': 'b\r\nx-remote-user: admin' } },
      { ...get, headers: { 'x-a: b\r\nx-remote-user': 'admin' } },
      { ...get, headers: { 'x-a': ['b', 'c\nd'] } },
      { ...get, target: '/a HTTP/1.1\r\nx-remote-user:' },
      { ...get, method: 'GET /' },
    ])
      await assert.rejects(f.request(request), /invalid characters/);
    assert.equal(f.received, '');
  });

  it('an answer that breaks off is a failure of the server, as is none', async () => {
    for (const answer of [
      '',
      'HTTP/1.1 2',
      `${ok}Content-Length: 9\r\n\r\n{}`,
      `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\n`,
    ]) {
      await using f = await Fixture.open((socket) => void socket.end(answer));
      await assert.rejects(f.text(), OutboundFailure, answer);
    }
  });

  it('an answer that is malformed behind its head is a failure for a reader who comes later', async () => {
    await using f = await Fixture.open(
      (socket) => void socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n`),
    );
    const answer = await f.request();
    if (answer.kind !== 'answer') throw new TypeError('an answer without a stream');
    await until(() => answer.body.destroyed, 'the end of the body');
    await assert.rejects(readAnswer(answer, 1_000, signal), OutboundFailure);
  });

  it('a request that is given up closes its connection', async () => {
    const giveUp = new AbortController();
    await using f = await Fixture.open(() => giveUp.abort(new Error('given up')));
    await assert.rejects(f.request(get, giveUp.signal), /given up/);
    await until(() => f.sockets.every((socket) => socket.readableEnded || socket.destroyed));
  });
});
