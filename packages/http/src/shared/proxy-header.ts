import { formatIp, parseIp } from '@orch/machinery/net';

/** Begins a header of version 2. */
const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const FIXED_BYTES = 16;
/** A header with more extensions than balancers send is not read. */
const MAX_HEADER_BYTES = 4096;
const TEXT_START = Buffer.from('PROXY ');
/** Maximum length of a line of version 1. */
const MAX_LINE_BYTES = 107;

/** The header with which a balancer begins a connection (PROXY protocol, versions 1 and 2). */
export interface ProxyHeader {
  /** Bytes of the header; the client's follow. */
  readonly length: number;
  /** Address of the client; undefined when the balancer itself is the client, or does not report it. */
  readonly client: string | undefined;
}

/** Reads the header at the start of a connection: `incomplete` when more bytes are needed, `invalid` when none can help. */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  if (startsAlike(bytes, SIGNATURE)) return readBinary(bytes);
  if (startsAlike(bytes, TEXT_START)) return readLine(bytes);
  return 'invalid';
}

/** Reports whether the bytes received so far are a prefix of `start`, or begin with it. */
function startsAlike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

function readBinary(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  if (bytes.length < FIXED_BYTES) return 'incomplete';
  const versionAndCommand = bytes.readUInt8(12);
  const length = FIXED_BYTES + bytes.readUInt16BE(14);
  if (length > MAX_HEADER_BYTES) return 'invalid';
  if (bytes.length < length) return 'incomplete';
  // LOCAL: the balancer's own connection, such as a health check.
  if (versionAndCommand === 0x20) return { length, client: undefined };
  if (versionAndCommand !== 0x21) return 'invalid';
  return readAddresses(bytes.subarray(FIXED_BYTES, length), bytes.readUInt8(13), length);
}

/** Family and transport of TCP over IPv4 and IPv6, and the size of an address. */
const addressSizes: ReadonlyMap<number, 4 | 16> = new Map([
  [0x11, 4],
  [0x21, 16],
]);

function readAddresses(block: Buffer, family: number, length: number): ProxyHeader | 'invalid' {
  const size = addressSizes.get(family);
  // Others have no IP address, such as a Unix socket: the connection is the balancer's.
  if (size === undefined) return { length, client: undefined };
  // Two addresses and two ports.
  if (block.length < 2 * size + 4) return 'invalid';
  const number = BigInt(`0x${block.toString('hex', 0, size)}`);
  return { length, client: formatIp({ family: size === 4 ? 'IPv4' : 'IPv6', number }) };
}

const lineForm = /^PROXY (?:(TCP[46]) (\S{1,45}) \S{1,45} \d{1,5} \d{1,5}|UNKNOWN(?: .*)?)$/;

function readLine(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
  const end = bytes.subarray(0, MAX_LINE_BYTES).indexOf('\r\n');
  if (end < 0) return bytes.length < MAX_LINE_BYTES ? 'incomplete' : 'invalid';
  const match = lineForm.exec(bytes.toString('latin1', 0, end));
  if (match === null) return 'invalid';
  const [, transport, source = ''] = match;
  const length = end + 2;
  if (transport === undefined) return { length, client: undefined };
  const address = parseIp(source);
  if (address?.family !== (transport === 'TCP4' ? 'IPv4' : 'IPv6')) return 'invalid';
  return { length, client: formatIp(address) };
}
