import type { Socket } from 'node:net';
import { onAbort } from '@orch/machinery/concurrency';
import { type Endpoint, isIpv4, isIpv6 } from './endpoint.ts';

interface Login {
  readonly name: string;
  readonly password: string;
}

const replies: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** Requests a connection from a SOCKS5 proxy (RFC 1928, RFC 1929). Destroys the socket on failure. */
export async function socks5(
  socket: Socket,
  { endpoint, login }: { readonly endpoint: Endpoint; readonly login: Login | undefined },
  signal: AbortSignal,
): Promise<Socket> {
  try {
    await negotiate(socket, login, signal);
    await connect(socket, endpoint, signal);
    return socket;
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}

async function negotiate(socket: Socket, login: Login | undefined, signal: AbortSignal): Promise<void> {
  socket.write(Buffer.from(login === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
  const [version, method] = await take(socket, 2, signal);
  if (version !== 5) throw new Error('the proxy does not speak SOCKS5');
  if (method === 0) return;
  if (method !== 2 || login === undefined) throw new Error('the proxy requires credentials');
  socket.write(Buffer.concat([Buffer.from([1]), short(login.name), short(login.password)]));
  const [, verdict] = await take(socket, 2, signal);
  if (verdict !== 0) throw new Error('the proxy rejected the credentials');
}

async function connect(socket: Socket, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const port = Buffer.alloc(2);
  port.writeUInt16BE(endpoint.port);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address(endpoint.host), port]));
  const [, reply = 1, , type] = await take(socket, 4, signal);
  if (reply !== 0) throw new Error(`the proxy responded: ${replies[reply] ?? `reply ${reply}`}`);
  // The bound address of the proxy precedes the first byte of the server, and is ignored.
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await take(socket, 1, signal))[0] ?? 0);
  await take(socket, length + 2, signal);
}

function address(host: string): Buffer {
  if (isIpv4(host)) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (isIpv6(host)) return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)]);
  return Buffer.concat([Buffer.from([3]), short(host)]);
}

function ipv6Bytes(host: string): Buffer {
  // The URL parser normalizes addresses to hexadecimal groups, of which at most one run is omitted.
  const plain = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [left = '', right] = plain.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(left), groups(right ?? '')];
  const all = [...first, ...new Array<string>(8 - first.length - last.length).fill('0'), ...last];
  const bytes = Buffer.alloc(16);
  for (const [i, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  return bytes;
}

/** A string with its length in one byte. */
function short(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name for the proxy is longer than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The next `count` bytes; further bytes stay in the socket. */
function take(socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      unregister();
      socket.off('readable', look);
      socket.off('close', closed);
      act();
    };
    const look = (): void => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes !== null && bytes.length === count) settle(() => resolve(bytes));
      else if (bytes !== null) closed();
    };
    const closed = (): void => settle(() => reject(new Error('the proxy closed the connection')));
    let unregister = (): void => {};
    socket.on('readable', look);
    socket.once('close', closed);
    unregister = onAbort(signal, () => settle(() => reject(signal.reason)));
    if (!signal.aborted) look();
  });
}
