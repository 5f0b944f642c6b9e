import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ProtoReader, ProtoWriter } from '@orch/storage/grpc';
import { GrpcServer, type ServerCall } from '@orch/storage/testing';

/** A key of the signer. */
export interface FakeKey {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
  readonly isUnpublished?: boolean;
}

/** A key for ES256. */
export function fakeKey(id: string, more: Pick<FakeKey, 'isUnpublished'> = {}): FakeKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { id, privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }), ...more };
}

const INTERNAL = 13;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signer of service account tokens at a Unix socket, whose keys and answers a test changes. */
export class FakeSigner implements AsyncDisposable {
  keys: readonly FakeKey[] = [fakeKey('first')];
  /** The key that signs; the first of the others by default. */
  signing: FakeKey | undefined;
  refreshSeconds = 60;
  maxSeconds = 7200;
  /** Fields of the header of tokens; a field that is undefined is left out. */
  header: Readonly<Record<string, unknown>> = {};
  signature: string | undefined;
  isFailing = false;
  /** Paths of the calls so far. */
  readonly calls: string[] = [];
  readonly #server: GrpcServer;

  private constructor(server: GrpcServer) {
    this.#server = server;
  }

  static async start(socketPath: string): Promise<FakeSigner> {
    const server = await GrpcServer.listen((call) => signer.#answer(call), { socketPath });
    const signer: FakeSigner = new FakeSigner(server);
    return signer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** Number of calls of a method: `Sign`, `FetchKeys` or `Metadata`. */
  count(method: string): number {
    return this.calls.filter((path) => path.endsWith(`/${method}`)).length;
  }

  async #answer(call: ServerCall): Promise<void> {
    const message = await call.next();
    this.calls.push(call.path);
    if (message === undefined) return;
    if (this.isFailing) return call.end(INTERNAL, 'the module is locked');
    const writer = new ProtoWriter();
    writer.reset();
    if (call.path.endsWith('/Sign')) this.#writeSigned(writer, message);
    else if (call.path.endsWith('/FetchKeys')) this.#writeKeys(writer);
    else writer.uint(1, this.maxSeconds);
    call.send(Buffer.from(writer.finish()));
    call.end();
  }

  #writeSigned(writer: ProtoWriter, message: Buffer): void {
    const reader = new ProtoReader(message);
    reader.tag();
    const claims = reader.string();
    const key = this.signing ?? this.keys[0] ?? fakeKey('none');
    const header = part({ alg: 'ES256', kid: key.id, typ: 'JWT', ...this.header });
    const bytes = sign('sha256', Buffer.from(`${header}.${claims}`), {
      key: key.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    writer.string(2, this.signature ?? bytes.toString('base64url'));
    writer.string(1, header);
  }

  #writeKeys(writer: ProtoWriter): void {
    writer.uint(3, this.refreshSeconds);
    const stamp = writer.mark();
    writer.uint(1, 1_700_000_000);
    writer.nested(2, stamp);
    for (const { id, publicKey, isUnpublished = false } of [...this.keys].reverse()) {
      const mark = writer.mark();
      if (isUnpublished) writer.bool(3, true);
      writer.bytes(2, publicKey);
      writer.string(1, id);
      writer.nested(1, mark);
    }
  }
}
