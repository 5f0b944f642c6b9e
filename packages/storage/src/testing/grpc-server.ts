import { once } from 'node:events';
import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** One call at the scripted server. */
export interface ServerCall {
  readonly path: string;
  /** Metadata of the request. */
  readonly metadata: Readonly<Record<string, string | string[] | undefined>>;
  readonly stream: ServerHttp2Stream;
  /** Resolves with the next message of the client, or undefined after the last one. */
  next(): Promise<Buffer | undefined>;
  send(message: Buffer): void;
  /** Ends the call with a status; without a message sent before, as a trailers-only answer. */
  end(status?: number, message?: string): void;
}

export type CallHandler = (call: ServerCall) => void | Promise<void>;

/** A gRPC server that a test scripts, on Node's HTTP/2: an independent implementation of the protocol. */
export class GrpcServer implements AsyncDisposable {
  /** 0 at a Unix socket. */
  readonly port: number;
  readonly sessions = new Set<ServerHttp2Session>();
  /** Calls received since the start. */
  calls = 0;
  readonly #server: Http2Server;

  private constructor(server: Http2Server) {
    this.#server = server;
    const address = server.address() as AddressInfo | string;
    this.port = typeof address === 'string' ? 0 : address.port;
  }

  /** At a port that is free, or at a Unix socket. */
  static async listen(
    handler: CallHandler,
    { socketPath, ...options }: ServerOptions & { readonly socketPath?: string } = {},
  ): Promise<GrpcServer> {
    const server = createServer(options);
    server.listen(socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath });
    await once(server, 'listening');
    const self = new GrpcServer(server);
    server.on('session', (session) => {
      self.sessions.add(session);
      session.on('error', ignore);
      session.on('close', () => self.sessions.delete(session));
    });
    server.on('stream', (stream, headers) => {
      self.calls++;
      stream.on('error', ignore);
      void handler(serverCall(stream, headers));
    });
    return self;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions) session.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function serverCall(stream: ServerHttp2Stream, headers: Record<string, unknown>): ServerCall {
  const messages = receive(stream);
  const respond = (extra: Record<string, string>, endStream: boolean) => {
    if (stream.headersSent || stream.destroyed) return;
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', ...extra },
      { endStream, waitForTrailers: !endStream },
    );
  };
  return {
    path: String(headers[':path']),
    metadata: headers as Record<string, string>,
    stream,
    next: messages,
    send(message) {
      respond({}, false);
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(message.length, 1);
      if (!stream.destroyed) stream.write(Buffer.concat([prefix, message]));
    },
    end(status = 0, message = '') {
      const trailers = { 'grpc-status': String(status), 'grpc-message': message };
      if (!stream.headersSent) {
        respond(trailers, true);
        return;
      }
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
    },
  };
}

/** Splits the client's bytes into messages. */
function receive(stream: ServerHttp2Stream): () => Promise<Buffer | undefined> {
  const messages: Buffer[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      const end = 5 + bytes.readUInt32BE(1);
      messages.push(bytes.subarray(5, end));
      bytes = bytes.subarray(end);
    }
    wake();
  });
  const finish = () => {
    ended = true;
    wake();
  };
  stream.on('end', finish);
  stream.on('close', finish);
  return async () => {
    while (messages.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return messages.shift();
  };
}

function ignore(): void {
  // Errors of sessions and streams are checked at the client.
}
