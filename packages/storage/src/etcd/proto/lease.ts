import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** Identifiers of leases use all 64 bits; they are kept as the bytes of etcd's encoding. */
export interface LeaseGranted {
  readonly id: Buffer;
  readonly ttlSeconds: number;
}

/** `LeaseGrantRequest` that lets etcd choose the identifier. */
export function encodeLeaseGrant(writer: ProtoWriter, request: { readonly ttlSeconds: number }): void {
  writer.uint(1, request.ttlSeconds);
}

/**
 * `LeaseGrantResponse` and `LeaseKeepAliveResponse`, which have the same fields. A ttl of 0 means that the lease does
 * not exist.
 */
export function decodeLease(bytes: Buffer): LeaseGranted {
  const reader = new ProtoReader(bytes);
  let id: Buffer = Buffer.from([0]);
  let ttlSeconds = 0;
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x10:
        id = reader.opaqueVarint();
        break;
      case 0x18:
        ttlSeconds = reader.int();
        break;
      default:
        reader.skip();
    }
  }
  return { id, ttlSeconds };
}

/** `LeaseTimeToLiveResponse`: the remaining seconds; 0 for a lease that has expired, for which etcd answers -1. */
export function decodeTimeToLive(bytes: Buffer): number {
  const reader = new ProtoReader(bytes);
  let ttlSeconds = 0;
  while (reader.more()) {
    if (reader.tag() === 0x18) ttlSeconds = notNegative(reader.opaqueVarint());
    else reader.skip();
  }
  return ttlSeconds;
}

/** Negative numbers take all ten bytes. */
const notNegative = (varint: Buffer): number =>
  varint.length > MAX_TTL_BYTES
    ? 0
    : varint.reduceRight((value, byte) => value * VARINT_BASE + (byte % VARINT_BASE), 0);

const VARINT_BASE = 128;
const MAX_TTL_BYTES = 5;

/** `LeaseRevokeRequest`, `LeaseKeepAliveRequest` and `LeaseTimeToLiveRequest`, which begin with the same field. */
export function encodeLeaseId(writer: ProtoWriter, request: { readonly id: Buffer }): void {
  writer.raw(request.id);
  writer.varint(1 << 3);
}
