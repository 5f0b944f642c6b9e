import { ProtoReader, type UnaryMethod } from '@orch/storage/grpc';

/** The versions of the protocol; their messages are the same. */
export type SignerVersion = 'v1alpha1' | 'v1';

/** The header and the signature of a token, in base64url. */
export interface SignedClaims {
  readonly header: string;
  readonly signature: string;
}

/** A public key of the signer. */
export interface FetchedKey {
  readonly id: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  /** The key verifies tokens, and is not published. */
  readonly isUnpublished: boolean;
}

export interface FetchedKeys {
  readonly keys: readonly FetchedKey[];
  /** Seconds after which the keys should be fetched again. */
  readonly refreshSeconds: number;
}

/** The calls of a signer. */
export interface SignerMethods {
  /** Takes the claims in base64url. */
  readonly sign: UnaryMethod<string, SignedClaims>;
  readonly fetchKeys: UnaryMethod<Record<never, never>, FetchedKeys>;
  /** Returns the maximum lifetime of a token in seconds. */
  readonly metadata: UnaryMethod<Record<never, never>, number>;
}

/** The calls of a signer of a version (gRPC, service `ExternalJWTSigner`). */
export const signerMethods = (version: SignerVersion): SignerMethods => ({
  sign: {
    path: `/${version}.ExternalJWTSigner/Sign`,
    encode: (writer, claims) => writer.string(1, claims),
    decode: readSigned,
  },
  fetchKeys: {
    path: `/${version}.ExternalJWTSigner/FetchKeys`,
    encode: () => {},
    decode: readKeys,
  },
  metadata: {
    path: `/${version}.ExternalJWTSigner/Metadata`,
    encode: () => {},
    decode: readMetadata,
  },
});

function readSigned(message: Buffer): SignedClaims {
  const reader = new ProtoReader(message);
  let [header, signature] = ['', ''];
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) header = reader.string();
    else if (tag === 0x12) signature = reader.string();
    else reader.skip();
  }
  return { header, signature };
}

function readKeys(message: Buffer): FetchedKeys {
  const reader = new ProtoReader(message);
  const keys: FetchedKey[] = [];
  let refreshSeconds = 0;
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) keys.push(readKey(reader.bytes()));
    else if (tag === 0x18) refreshSeconds = reader.int();
    else reader.skip();
  }
  return { keys, refreshSeconds };
}

function readKey(message: Buffer): FetchedKey {
  const reader = new ProtoReader(message);
  let id = '';
  let publicKey: Buffer = Buffer.alloc(0);
  let isUnpublished = false;
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) id = reader.string();
    else if (tag === 0x12) publicKey = Buffer.from(reader.bytes());
    else if (tag === 0x18) isUnpublished = reader.bool();
    else reader.skip();
  }
  return { id, publicKey, isUnpublished };
}

function readMetadata(message: Buffer): number {
  const reader = new ProtoReader(message);
  let maxSeconds = 0;
  while (reader.more()) {
    if (reader.tag() === 0x08) maxSeconds = reader.int();
    else reader.skip();
  }
  return maxSeconds;
}
