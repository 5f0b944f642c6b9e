import { type ResponseHeader, readHeader } from './kv.ts';
import { ProtoReader } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** `StatusResponse` of one member. */
export interface MemberStatus {
  /** Identifier of the member; compared only. */
  readonly memberId: string;
  readonly revision: number;
  /** `3.4.23`. */
  readonly version: string;
  readonly dbSizeBytes: number;
  /** Alarms of the cluster and failures of the member, as etcd words them: `memberID:1 alarm:NOSPACE `. */
  readonly errors: readonly string[];
}

/** `StatusRequest` has no fields. */
export function encodeStatus(_writer: ProtoWriter): void {}

export function decodeStatus(bytes: Buffer): MemberStatus {
  const reader = new ProtoReader(bytes);
  let header: ResponseHeader = { revision: 0, memberId: '' };
  let version = '';
  let dbSizeBytes = 0;
  const errors: string[] = [];
  while (reader.more()) {
    switch (reader.tag()) {
      case 0x0a:
        header = readHeader(reader);
        break;
      case 0x12:
        version = reader.string();
        break;
      case 0x18:
        dbSizeBytes = reader.int();
        break;
      case 0x42:
        errors.push(reader.string());
        break;
      default:
        reader.skip();
    }
  }
  return { ...header, version, dbSizeBytes, errors };
}

/** `AuthenticateRequest`. */
export function encodeAuthenticate(
  writer: ProtoWriter,
  request: { readonly username: string; readonly password: string },
): void {
  writer.string(2, request.password);
  writer.string(1, request.username);
}

/** The token of an `AuthenticateResponse`. */
export function decodeAuthenticate(bytes: Buffer): string {
  const reader = new ProtoReader(bytes);
  let token = '';
  while (reader.more()) {
    if (reader.tag() === 0x12) token = reader.string();
    else reader.skip();
  }
  return token;
}
