import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { Server as TlsServer } from 'node:tls';
import { systemClock } from '@orch/machinery/env';
import { testCertificate } from '@orch/pki/x509/testing';
import { type Connections, connectionsTo, readJsonAnswer } from './post-json.ts';
import { RemoteError } from './remote-error.ts';

const authority = testCertificate({ commonName: 'authority', use: 'authority' });
const serving = testCertificate({ commonName: 'service', use: 'server', hosts: ['127.0.0.1'] }, authority);
const never = new AbortController().signal;

type Incoming = AsyncIterable<unknown> &
  Pick<IncomingMessage, 'httpVersion'> & {
    readonly url?: string | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  };

interface Outgoing {
  write(text: string, written: () => void): unknown;
  end(text: string): unknown;
}

interface Received {
  readonly protocol: string;
  readonly path: string;
  readonly host: string;
  readonly body: string;
}

/** A service that answers what it received, but nothing to `/silent`, and the beginning of an answer to `/partial`. */
class Service implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  onPartial = (): void => {};
  readonly #server: TlsServer;

  constructor(protocol: 'h2' | 'http/1.1') {
    this.#server =
      protocol === 'h2'
        ? createSecureServer({ ...serving }, (incoming, outgoing) => this.#serve(incoming, outgoing))
        : createServer({ ...serving }, (incoming, outgoing) => this.#serve(incoming, outgoing));
    this.#server.on('secureConnection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket.once('close', () => this.sockets.delete(socket)));
    });
  }

  async #serve(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    let body = '';
    for await (const part of incoming) body += String(part);
    const { url: path = '', headers, httpVersion: protocol } = incoming;
    const host = String(headers['host'] ?? headers[':authority']);
    const received = { protocol, path, host, body };
    this.received.push(received);
    if (path === '/partial') outgoing.write('{', () => this.onPartial());
    else if (path !== '/silent') outgoing.end(JSON.stringify(received));
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve()));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  connect(path = '/a?b=c', ca = authority.cert): Connections {
    const url = new URL(`https://127.0.0.1:${this.port}${path}`);
    const options = { ca, serverName: undefined, isUnverified: false };
    return connectionsTo(
      { url, ...options, identity: undefined, authorization: undefined },
      { clock: systemClock },
    );
  }

  closeConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.closeConnections();
    await closed;
  }
}

const ask = async (connections: Connections, query?: string, signal = never): Promise<unknown> =>
  readJsonAnswer(await connections.post({ payload: '{}', query }, signal));

for (const protocol of ['h2', 'http/1.1'] as const)
  describe(`connections to a service with ${protocol}`, () => {
    it('connections to a service are kept for later requests', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect();
      for (let i = 0; i < 3; i++) await ask(connections, 'timeout=1s');
      assert.equal(service.connections, 1);
      const received = {
        protocol: protocol === 'h2' ? '2.0' : '1.1',
        path: '/a?b=c&timeout=1s',
        host: `127.0.0.1:${service.port}`,
        body: '{}',
      };
      assert.deepEqual(service.received, [received, received, received]);
    });

    it('connections to a service serve concurrent requests without waiting', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect();
      await Promise.all(Array.from({ length: 8 }, () => ask(connections)));
      assert.equal(service.received.length, 8);
      assert.ok(protocol === 'h2' ? service.connections === 1 : service.connections <= 8);
    });

    it('connections to a service are opened again when the service closed them', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect();
      await ask(connections);
      service.closeConnections();
      await ask(connections);
      assert.equal(service.connections, 2);
    });

    it('connections to a service are replaced when a request was not answered in time', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect('/silent');
      const controller = new AbortController();
      const reason = new Error('too late');
      const asked = ask(connections, undefined, controller.signal);
      while (service.received.length === 0) await new Promise(setImmediate);
      controller.abort(reason);
      await assert.rejects(asked, reason);
      await ask(connections, 'again');
      assert.equal(service.connections, 2);
    });

    it('connections to a service report a response that ends before it is complete, and one that is aborted', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect('/partial');
      const reason = new Error('too late');
      const controller = new AbortController();
      for (const [end, expected] of [
        [
          () => service.closeConnections(),
          (error: unknown) => error instanceof RemoteError && error.isPassing,
        ],
        [() => controller.abort(reason), reason],
      ] as const) {
        const answer = connections.post({ payload: '{}' }, controller.signal);
        const partial = Promise.withResolvers<void>();
        service.onPartial = partial.resolve;
        void partial.promise.then(end);
        await assert.rejects(answer, expected);
      }
    });

    it('connections to a service report a service that does not run', async () => {
      const service = await new Service(protocol).start();
      using connections = service.connect();
      await ask(connections);
      await service[Symbol.asyncDispose]();
      await assert.rejects(ask(connections), (error) => error instanceof RemoteError && error.isPassing);
    });

    it('connections to a service are made when the certificate of the service is trusted itself, without its issuer', async () => {
      await using service = await new Service(protocol).start();
      using connections = service.connect('/', serving.cert);
      await ask(connections);
      assert.equal(service.received.length, 1);
    });

    it('connections to a service are refused when another certificate of the same issuer is trusted', async () => {
      await using service = await new Service(protocol).start();
      const sibling = testCertificate(
        { commonName: 'service', use: 'server', hosts: ['127.0.0.1'] },
        authority,
      );
      using connections = service.connect('/', sibling.cert);
      await assert.rejects(ask(connections), /certificate/);
      assert.equal(service.received.length, 0);
    });

    it('connections to a service are refused when the certificate has another issuer', async () => {
      await using service = await new Service(protocol).start();
      const other = testCertificate({ commonName: 'other', use: 'authority' });
      using connections = service.connect('/', other.cert);
      await assert.rejects(ask(connections), /certificate/);
      assert.equal(service.received.length, 0);
    });
  });
