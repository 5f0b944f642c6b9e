import type { ApiObject } from '@orch/machinery';
import {
  type CodecCompiler,
  EnvelopeWriter,
  messageField,
  openEnvelope,
  type ProtobufCompiler,
  type StructSchema,
} from '@orch/schema';

/** The dependencies of the Protobuf messages of a version. */
export interface MessageVersion {
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: StructSchema;
}

export interface StoredMessagesOptions<V extends MessageVersion> {
  /** Both of all fields. */
  readonly codecs: CodecCompiler;
  readonly messages: ProtobufCompiler;
  /** The version with this kind and apiVersion. Throws when the kind has no such version. */
  versionOf(kind: unknown, apiVersion: unknown): V;
}

/**
 * Protobuf encoding of the stored objects of one kind (spec 2.7). Nothing is compiled before there is such an object.
 */
export class StoredMessages<V extends MessageVersion> {
  readonly #options: StoredMessagesOptions<V>;
  readonly #envelopes = new Map<V, EnvelopeWriter>();

  constructor(options: StoredMessagesOptions<V>) {
    this.#options = options;
  }

  /** The object in stored bytes, in canonical form, and its version. Throws for bytes that hold none. */
  read(stored: Buffer): { readonly object: ApiObject; readonly version: V } {
    const { codecs, messages, versionOf } = this.#options;
    const { kind, apiVersion, raw } = openEnvelope(stored);
    const version = versionOf(kind, apiVersion);
    const message = messages.compile(version.schema).decode(raw);
    message['kind'] = kind;
    message['apiVersion'] = apiVersion;
    const { value, problems } = codecs.compile(version.schema).decode(message);
    const wrong = problems.find((problem) => problem.kind === 'type');
    if (wrong !== undefined) throw new TypeError(`the stored message does not fit: ${wrong.message}`);
    return { object: value, version };
  }

  /** The stored bytes of an object in a version. */
  write(object: Readonly<Record<string, unknown>>, version: V): Buffer {
    const message = this.#options.messages.compile(version.schema);
    return this.#envelope(version).wrap(messageField(message, object));
  }

  /** The prefix of the stored bytes of objects in a version. */
  head(version: V): Buffer {
    return this.#envelope(version).prefix;
  }

  #envelope(version: V): EnvelopeWriter {
    let envelope = this.#envelopes.get(version);
    if (envelope === undefined) {
      envelope = new EnvelopeWriter(version.kind, version.apiVersion);
      this.#envelopes.set(version, envelope);
    }
    return envelope;
  }
}
