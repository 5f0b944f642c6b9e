import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { servingTls } from './serving-tls.ts';

/** Hand-made HTTP/2 frames (RFC 9113) that no client library would send. Tests only. */
const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rst: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;

export function frame(
  type: keyof typeof frameType,
  stream: number,
  flags = 0,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = frameType[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header field in HPACK, literal and without Huffman coding; `indexed` adds it to the dynamic table. */
export function field(name: string, value: string, indexed = false): Buffer {
  const text = (content: string): Buffer => {
    const bytes = Buffer.from(content, 'latin1');
    // An integer with a prefix of seven bits (RFC 7541 section 5.1).
    if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
    const length = [127];
    let rest = bytes.length - 127;
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
    return Buffer.concat([Buffer.from([...length, rest]), bytes]);
  };
  return Buffer.concat([Buffer.from([indexed ? 0x40 : 0]), text(name), text(value)]);
}

/** The header fields of a request of the test user; `indexed` adds them to the dynamic table. */
export const requestFields = (path: string, method = 'GET', indexed = false): Buffer =>
  Buffer.concat([
    field(':method', method, indexed),
    field(':scheme', 'https', indexed),
    field(':path', path, indexed),
    field(':authority', 'h', indexed),
    field('authorization', 'Bearer secret', indexed),
  ]);

export const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('settings', 0)]);

/** Resolves when the connection has ended, for any reason. */
export const closed = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

/** A raw connection with HTTP/2 negotiated; nothing was sent yet. `allowHalfOpen`: it stays open when the server ends its side. */
export async function http2Socket(
  port: number,
  { allowHalfOpen = false }: { readonly allowHalfOpen?: boolean } = {},
): Promise<TLSSocket> {
  const options: ConnectionOptions & { allowHalfOpen: boolean } = {
    host: '127.0.0.1',
    port,
    ca: servingTls.cert,
    ALPNProtocols: ['h2'],
    allowHalfOpen,
  };
  const socket = connect(options);
  await once(socket, 'secureConnect');
  socket.on('error', () => undefined);
  socket.resume();
  return socket;
}
