import { ProtoReader, type UnaryMethod } from '@orch/storage/grpc';
import { type Annotations, readAnnotation, writeAnnotations } from './protobuf-maps.ts';

const SERVICE = '/v2.KeyManagementService';

/** The health of a plugin, and the key that it encrypts with. */
export interface PluginStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

/** Bytes that a plugin has encrypted, with all that it needs to decrypt them. */
export interface Wrapped {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: Annotations;
}

/** `uid` names the call in the logs of the plugin. */
interface Identified {
  readonly uid: string;
}

export const statusV2: UnaryMethod<Record<never, never>, PluginStatus> = {
  path: `${SERVICE}/Status`,
  encode: () => {},
  decode(message) {
    const reader = new ProtoReader(message);
    let [version, healthz, keyId] = ['', '', ''];
    while (reader.more()) {
      const tag = reader.tag();
      if (tag === 0x0a) version = reader.string();
      else if (tag === 0x12) healthz = reader.string();
      else if (tag === 0x1a) keyId = reader.string();
      else reader.skip();
    }
    return { version, healthz, keyId };
  },
};

export const encryptV2: UnaryMethod<{ readonly plaintext: Buffer } & Identified, Wrapped> = {
  path: `${SERVICE}/Encrypt`,
  encode(writer, { plaintext, uid }) {
    writer.string(2, uid);
    writer.bytes(1, plaintext);
  },
  decode(message) {
    const reader = new ProtoReader(message);
    let ciphertext: Buffer = Buffer.alloc(0);
    let keyId = '';
    const annotations = new Map<string, Buffer>();
    while (reader.more()) {
      const tag = reader.tag();
      if (tag === 0x0a) ciphertext = reader.bytes();
      else if (tag === 0x12) keyId = reader.string();
      else if (tag === 0x1a) annotations.set(...readAnnotation(reader.bytes()));
      else reader.skip();
    }
    return { ciphertext, keyId, annotations };
  },
};

export const decryptV2: UnaryMethod<Wrapped & Identified, Buffer> = {
  path: `${SERVICE}/Decrypt`,
  encode(writer, { ciphertext, uid, keyId, annotations }) {
    writeAnnotations(writer, 4, annotations);
    writer.string(3, keyId);
    writer.string(2, uid);
    writer.bytes(1, ciphertext);
  },
  decode(message) {
    const reader = new ProtoReader(message);
    let plaintext: Buffer = Buffer.alloc(0);
    while (reader.more()) {
      if (reader.tag() === 0x0a) plaintext = reader.bytes();
      else reader.skip();
    }
    return plaintext;
  },
};
