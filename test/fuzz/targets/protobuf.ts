import assert from 'node:assert/strict';
import { findKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { codecCompiler, ProtobufError, protobufCompiler, type StructSchema } from '@orch/schema';
import { type FuzzTarget, refusalOf, unlessRefused } from '../target.ts';

const names = namesFor('kubernetes');
const json = codecCompiler(names);
const protobuf = protobufCompiler(names);

const kinds = (
  [
    ['', 'v1', 'Pod'],
    ['apps', 'v1', 'Deployment'],
    ['networking', 'v1', 'NetworkPolicy'],
    ['apiextensions', 'v1', 'CustomResourceDefinition'],
  ] as const
).map(([group, version, kind]): StructSchema => {
  const schema = findKind(group, version, kind)?.schema;
  assert.ok(schema !== undefined, kind);
  return schema;
});
const codecs = kinds.map((schema) => ({ json: json.compile(schema), wire: protobuf.compile(schema) }));

function seed(index: number, value: object): Buffer {
  const codec = codecs[index];
  assert.ok(codec !== undefined);
  const { value: decoded } = codec.json.decode(value);
  return Buffer.concat([Buffer.from([index]), codec.wire.encode(decoded)]);
}

const spec = { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } }, args: ['x'] }] };

/** A message is refused, or written so that the same object is read again. The first byte selects the kind. */
export const target: FuzzTarget = {
  seeds: [
    seed(0, { metadata: { name: 'a', labels: { x: 'y' }, creationTimestamp: '2024-01-01T00:00:00Z' }, spec }),
    seed(1, {
      metadata: { name: 'd' },
      spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template: { spec } },
    }),
    seed(2, {
      metadata: { name: 'n' },
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }, { port: 'x' }] }] },
    }),
    seed(3, {
      metadata: { name: 'c' },
      spec: {
        group: 'a.b',
        versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', default: { a: [1] } } } }],
      },
    }),
  ],
  check(data) {
    const codec = codecs[(data[0] ?? 0) % codecs.length];
    assert.ok(codec !== undefined);
    const bytes = data.subarray(1);
    const read = unlessRefused(() => codec.wire.decode(bytes), ProtobufError);
    assert.equal(
      refusalOf(() => atOnce(codec.wire.decodeInPieces(bytes)), ProtobufError),
      refusalOf(() => codec.wire.decode(bytes), ProtobufError),
    );
    if (read === undefined) return;
    const { value, problems } = codec.json.decode(read.value);
    if (problems.some(({ kind }) => kind === 'type')) return;
    const written = codec.wire.encode(value);
    const again = codec.json.decode(codec.wire.decode(written));
    assert.deepEqual(JSON.stringify(again.value), JSON.stringify(value));
    assert.deepEqual(codec.wire.encode(again.value), written);
  },
};
