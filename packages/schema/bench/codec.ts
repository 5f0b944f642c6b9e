/**
 * Speed of the codec: `scripts/node packages/schema/bench/codec.ts`. Times are the best of several ROUNDS, in
 * microseconds per object; `JSON.parse` of the same bytes stands beside them as the measure of the machine.
 */

import { namesFor } from '@orch/machinery';
import { encodeJson } from '@orch/machinery/json';
import {
  codecCompiler,
  messageField,
  peekMeta,
  protobufCodec,
  resourceVersionSplice,
  withResourceVersion,
} from '../src/index.ts';
import type { StructSchema } from '../src/schema.ts';
import { ConfigData, configData, Workload, workload } from './workload.ts';

const ROUNDS = 7;
const PER_ROUND = 20_000;

function measure(run: () => unknown): number {
  for (let i = 0; i < PER_ROUND; i++) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < PER_ROUND; i++) run();
    best = Math.min(best, performance.now() - start);
  }
  return (best * 1000) / PER_ROUND;
}

function report(title: string, schema: StructSchema, input: unknown): void {
  const codec = codecCompiler(namesFor('kubernetes')).compile(schema);
  const text = JSON.stringify(input);
  const { value } = codec.decode(input, { defaults: true });
  const stored = encodeJson(value);
  const row = (what: string, run: () => unknown) =>
    console.log(`  ${what.padEnd(34)}${measure(run).toFixed(2).padStart(8)} µs`);
  console.log(`${title}: ${text.length} bytes in, ${stored.length} stored`);
  row('JSON.parse of the input', () => JSON.parse(text));
  row('decode', () => codec.decode(input));
  row('decode with defaults', () => codec.decode(input, { defaults: true }));
  row('decode with defaults, canonical', () => codec.decode(value, { defaults: true }));
  row('validate an update', () => codec.validate(value, value));
  row('place of the resourceVersion', () => resourceVersionSplice(stored));
  row('with resourceVersion', () => withResourceVersion(stored, 123_456));
  row('peek at the metadata', () => peekMeta(stored));
  row('JSON.parse of the stored bytes', () => JSON.parse(stored.toString()));
  const protobuf = protobufCodec(schema, namesFor('kubernetes'));
  const message = Buffer.from(protobuf.encode(value));
  row(`Protobuf, ${message.length} bytes: encode`, () => messageField(protobuf, value));
  row('Protobuf: decode', () => protobuf.decode(message));
}

report('config map', ConfigData, configData());
report('small pod', Workload, workload(1, 0));
report('pod of 4.6 KB', Workload, workload(3, 2));
