import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { findKind, kindsOf, servedIn } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import {
  codecCompiler,
  EnvelopeWriter,
  type Field,
  messageField,
  openEnvelope,
  ProtobufError,
  protobufCompiler,
} from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';

const orch = namesFor('orch');
const codecs = codecCompiler(orch);
const messages = protobufCompiler(orch);

/** Kinds with a Protobuf form: cells of tables have none. */
const kinds = kindsOf().filter(({ kind }) => kind !== 'Table');

describe('every kind in Protobuf', () => {
  for (const { group, version, kind, schema } of kinds) {
    it(`${group === '' ? '' : `${group}/`}${version} ${kind} is the same after a round trip`, () => {
      const codec = codecs.compile(schema);
      const message = messages.compile(schema);
      fc.assert(
        fc.property(arbitraryInput(schema, 5), (input) => {
          const { value } = codec.decode(input);
          const bytes = message.encode(value);
          const read = codec.decode(message.decode(bytes));
          assert.deepEqual(read.problems, []);
          assert.deepEqual(read.value, codec.decode({ ...value }).value);
          assert.deepEqual(message.encode(read.value), bytes);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('decoding mutated bytes fails only with a ProtobufError', () => {
    const { schema } = findKind('', 'v1', 'Pod') ?? assert.fail();
    const [codec, message] = [codecs.compile(schema), messages.compile(schema)];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(arbitraryInput(schema, 4), changes, (input, bytes) => {
        const mutated = Buffer.from(message.encode(codec.decode(input).value));
        for (const [at, byte] of bytes) mutated[at % mutated.length] = byte;
        try {
          codec.decode(message.decode(mutated), { defaults: true });
        } catch (error) {
          assert.ok(error instanceof ProtobufError, String(error));
        }
      }),
    );
  });
});

describe('the bytes of the reference implementation', () => {
  const names = namesFor('kubernetes');
  const includes = ({ since, until }: Field): boolean =>
    servedIn('1.24', {
      ...(since === undefined ? {} : { introduced: since }),
      ...(until === undefined ? {} : { removed: until }),
    });
  const reference = {
    codecs: codecCompiler(names, { includes }),
    messages: protobufCompiler(names, { includes }),
  };
  const lines = readFileSync(new URL('observed-protobuf.fixture.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(Buffer.from(line)) as { object: ApiObject; bytes: string });

  for (const { object, bytes } of lines) {
    const { kind = '', apiVersion = '' } = object;
    it(`the reference bytes are reproduced for ${apiVersion} ${kind}`, () => {
      const groupKey = apiVersion.includes('/') ? names.groupKey(apiVersion.split('/')[0] ?? '') : '';
      const version = apiVersion.split('/').at(-1) ?? '';
      const found =
        findKind(groupKey ?? '', version, kind) ?? findKind('meta', version, kind) ?? assert.fail();
      const message = reference.messages.compile(found.schema);
      const written = new EnvelopeWriter(kind, apiVersion).wrap(messageField(message, object));
      assert.equal(written.toString('base64'), bytes);
      const envelope = openEnvelope(Buffer.from(bytes, 'base64'));
      assert.deepEqual([envelope.kind, envelope.apiVersion], [kind, apiVersion]);
      const { value } = reference.codecs
        .compile(found.schema)
        .decode({ kind, apiVersion, ...message.decode(envelope.raw) });
      assert.deepEqual(value, object);
    });
  }
});
