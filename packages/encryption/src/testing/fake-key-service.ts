import { ProtoReader, ProtoWriter } from '@orch/storage/grpc';
import { GrpcServer, type ServerCall } from '@orch/storage/testing';

/**
 * - `silent`: it does not answer.
 * - `refusing`: it answers with an error.
 * - `wrongKey`: it decrypts to another key.
 * - `huge`: its answers have two megabytes.
 * - `short`: it decrypts to three bytes.
 */
export type KeyServiceBehaviour = 'working' | 'silent' | 'refusing' | 'wrongKey' | 'huge' | 'short';

const INTERNAL = 13;
const HUGE_BYTES = 2 * 1024 * 1024;

/** The fields of a message by number, bytes only. */
function fieldsOf(message: Buffer): ReadonlyMap<number, Buffer> {
  const reader = new ProtoReader(message);
  const fields = new Map<number, Buffer>();
  while (reader.more()) fields.set(reader.tag() >>> 3, reader.bytes());
  return fields;
}

function messageOf(fields: readonly (readonly [number, Buffer])[]): Buffer {
  const writer = new ProtoWriter();
  writer.reset();
  for (const [number, bytes] of [...fields].reverse()) writer.bytes(number, bytes);
  return Buffer.from(writer.finish());
}

const text = (value: string): Buffer => Buffer.from(value);

/** Not encryption: a prefix with the key id, and changed bytes. */
const masked = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));

/** A plugin for versions 1 and 2 at a Unix socket, whose behaviour a test changes. */
export class FakeKeyService implements AsyncDisposable {
  keyId = 'key-1';
  healthz = 'ok';
  behaviour: KeyServiceBehaviour = 'working';
  /** Keys that it can no longer use. */
  readonly lost = new Set<string>();
  /** Methods of the calls so far. */
  readonly calls: string[] = [];
  readonly socketPath: string;
  #server: GrpcServer | undefined;

  private constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  static async start(socketPath: string): Promise<FakeKeyService> {
    const service = new FakeKeyService(socketPath);
    await service.restart();
    return service;
  }

  async restart(): Promise<void> {
    this.#server = await GrpcServer.listen((call) => this.#answer(call), { socketPath: this.socketPath });
  }

  async kill(): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }

  /** Number of calls of a method: `Encrypt`, `Decrypt` or `Status`. */
  count(method: string): number {
    return this.calls.filter((call) => call === method).length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #answer(call: ServerCall): Promise<void> {
    const message = await call.next();
    const [, service = '', method = ''] = call.path.split('/');
    this.calls.push(method);
    if (message === undefined || this.behaviour === 'silent') return;
    if (this.behaviour === 'refusing') return call.end(INTERNAL, 'the module is locked');
    const answer = this.#answerOf(service, method, fieldsOf(message));
    if (answer === undefined) return call.end(INTERNAL, 'no such key');
    call.send(answer);
    call.end();
  }

  #answerOf(service: string, method: string, fields: ReadonlyMap<number, Buffer>): Buffer | undefined {
    const isV1 = service === 'v1beta1.KeyManagementService';
    if (method === 'Status')
      return messageOf([
        [1, text('v2')],
        [2, text(this.healthz)],
        [3, text(this.keyId)],
      ]);
    const input = fields.get(isV1 ? 2 : 1) ?? Buffer.alloc(0);
    if (method === 'Encrypt') {
      const wrapped = this.#wrap(input);
      return isV1
        ? messageOf([[1, wrapped]])
        : messageOf([
            [1, wrapped],
            [2, text(this.keyId)],
          ]);
    }
    const secret = this.#unwrap(input);
    return secret === undefined ? undefined : messageOf([[1, secret]]);
  }

  #wrap(secret: Buffer): Buffer {
    if (this.behaviour === 'huge') return Buffer.alloc(HUGE_BYTES);
    return Buffer.concat([text(`${this.keyId}|`), masked(secret)]);
  }

  #unwrap(wrapped: Buffer): Buffer | undefined {
    if (this.behaviour === 'huge') return Buffer.alloc(HUGE_BYTES);
    if (this.behaviour === 'short') return text('abc');
    const end = wrapped.subarray(0, 4).equals(text('kek:')) ? 3 : wrapped.indexOf('|');
    if (end < 0 || this.lost.has(wrapped.toString('utf8', 0, end))) return undefined;
    const secret = masked(wrapped.subarray(end + 1));
    return this.behaviour === 'wrongKey' ? masked(secret) : secret;
  }
}
