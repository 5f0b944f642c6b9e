import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CommandStreams } from './command.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';
import { WebSocketMessages } from './web-socket.ts';

type Start = (streams: CommandStreams) => void;

const sizeOf = (data: Buffer): { readonly Width: number; readonly Height: number } =>
  JSON.parse(data.toString());

/** A command over SPDY: the client opens one stream for each requested one, and one for the result. */
export function spdyCommand(connection: Duplex, expected: readonly string[], start: Start): void {
  const open = new Map<string, SpdyStream>();
  const session = new SpdySession(connection, (stream) => {
    open.set(stream.headers['streamtype'] ?? '', stream);
    if (open.size < expected.length) return;
    const streams: CommandStreams = {
      onInput: undefined,
      onResize: undefined,
      out: (data) => open.get('stdout')?.write(data),
      err: (data) => open.get('stderr')?.write(data),
      finish(status) {
        open.get('error')?.write(Buffer.from(JSON.stringify(status)));
        for (const one of open.values()) one.end();
      },
    };
    connection.on('end', () => session.close());
    start(streams);
    open.get('resize')?.listen((data) => data !== undefined && streams.onResize?.(sizeOf(data)));
    open.get('stdin')?.listen((data) => streams.onInput?.(data));
  });
}

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** A command over a web socket: each message begins with the number of its stream. */
export function webSocketCommand(connection: Duplex, start: Start): void {
  const messages = new WebSocketMessages(connection, 'server');
  const send = (to: number, data: Buffer): void =>
    void messages.send(Buffer.concat([Buffer.from([to]), data]));
  const streams: CommandStreams = {
    onInput: undefined,
    onResize: undefined,
    out: (data) => send(channel.stdout, data),
    err: (data) => send(channel.stderr, data),
    finish(status) {
      send(channel.error, Buffer.from(JSON.stringify(status)));
      messages.close();
    },
  };
  start(streams);
  messages.onMessage = (message) => {
    const data = message.subarray(1);
    if (message[0] === channel.stdin) streams.onInput?.(data);
    else if (message[0] === channel.resize) streams.onResize?.(sizeOf(data));
    // Version 5 can signal that a stream has ended.
    else if (message[0] === channel.close && data[0] === channel.stdin) streams.onInput?.(undefined);
  };
}

/**
 * Forwards ports over SPDY: a pair of streams for each connection. `portOf` returns the actual port for a port of the
 * pod.
 */
export function spdyPorts(connection: Duplex, portOf: (port: number) => number): void {
  const errors = new Map<string, SpdyStream>();
  const session = new SpdySession(connection, (stream) => {
    const { streamtype, port = '', requestid = '' } = stream.headers;
    if (streamtype === 'error') {
      errors.set(requestid, stream);
      return;
    }
    const error = errors.get(requestid);
    const target = connect(portOf(Number(port)), '127.0.0.1');
    stream.listen((data) => (data === undefined ? target.end() : target.write(data)));
    target.on('data', (data: Buffer) => stream.write(data));
    target.on('error', (failure) =>
      error?.write(Buffer.from(`cannot connect to port ${port}: ${failure.message}`)),
    );
    target.on('close', () => {
      stream.end();
      error?.end();
    });
  });
  connection.on('end', () => session.close());
}

/** Forwards one port over a web socket: data on channel 0 and errors on channel 1, each beginning with the port. */
export function webSocketPort(connection: Duplex, port: number, portOf: (port: number) => number): void {
  const messages = new WebSocketMessages(connection, 'server');
  const send = (to: number, data: Buffer): void =>
    void messages.send(Buffer.concat([Buffer.from([to]), data]));
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  send(0, number);
  send(1, number);
  const target = connect(portOf(port), '127.0.0.1');
  messages.onMessage = (message) => void target.write(message.subarray(1));
  messages.onClose = () => target.destroy();
  target.on('data', (data: Buffer) => send(0, data));
  target.on('error', (failure) => send(1, Buffer.from(`cannot connect to port ${port}: ${failure.message}`)));
  target.on('close', () => messages.close());
}
