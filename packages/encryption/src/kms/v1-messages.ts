import { ProtoReader, type ProtoWriter, type UnaryMethod } from '@orch/storage/grpc';

const SERVICE = '/v1beta1.KeyManagementService';
const VERSION = 'v1beta1';

/** `EncryptRequest` and `DecryptRequest`: the version, and the bytes. */
function encode(writer: ProtoWriter, bytes: Buffer): void {
  writer.bytes(2, bytes);
  writer.string(1, VERSION);
}

/** `EncryptResponse` and `DecryptResponse`: the bytes. */
function decode(message: Buffer): Buffer {
  const reader = new ProtoReader(message);
  let bytes: Buffer = Buffer.alloc(0);
  while (reader.more()) {
    if (reader.tag() === 0x0a) bytes = reader.bytes();
    else reader.skip();
  }
  return bytes;
}

export const encryptV1: UnaryMethod<Buffer, Buffer> = { path: `${SERVICE}/Encrypt`, encode, decode };

export const decryptV1: UnaryMethod<Buffer, Buffer> = { path: `${SERVICE}/Decrypt`, encode, decode };
