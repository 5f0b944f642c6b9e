import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { cloneJson, encodeJson } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { versionConverter } from './version-converter.ts';

const COUNT = 1000;
const STEPS_OF_A_PIECE = 64;
/** A lossless lens and the converter decode the metrics four times, and the converter the labels. */
const LEAST_PIECES = (5 * COUNT) / STEPS_OF_A_PIECE;
const MAX_GROWTH = 2.3;

const names = namesFor('orch');
const codecs = codecCompiler(names, { includes: () => true });
const type =
  builtinTypes.find(({ resource }) => resource === 'horizontalpodautoscalers') ??
  assert.fail('no autoscalers');
const version = type.versions.find(({ version }) => version === 'v1') ?? assert.fail('no v1');
const converter = versionConverter(type, version, { names, codecs });

const metric = (i: number): object => ({
  type: 'External',
  external: {
    metric: { name: `m${i}`, selector: { matchLabels: { metric: `${i}` } } },
    target: { type: 'AverageValue', averageValue: '10m' },
  },
});

/** An autoscaler of the hub version with so many metrics, which v1 has in an annotation, and labels. */
const autoscaler = (metrics: number, labels = metrics): ApiObject =>
  codecs.compile(type.versions[0]?.schema ?? assert.fail('no hub')).decode({
    kind: 'HorizontalPodAutoscaler',
    apiVersion: names.apiVersion('autoscaling', 'v2'),
    metadata: {
      name: 'h',
      labels: Object.fromEntries(Array.from({ length: labels }, (_, i) => [`label-${i}`, 'x'])),
    },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: names.apiVersion('apps', 'v1') },
      metrics: Array.from({ length: metrics }, (_, i) => metric(i)),
    },
  }).value;

function inPieces<T>(work: Work<T>): { readonly pieces: number; readonly result: T } {
  let pieces = 1;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces += 1;
  return { pieces, result: step.value };
}

describe('conversions of large objects by a lens', () => {
  const { fromHub, toHub } = converter.inPieces ?? assert.fail('no conversion in pieces');

  for (const [what, convert, atOnce] of [
    ['from the hub version', (hub: ApiObject) => fromHub(hub), (hub: ApiObject) => converter.fromHub(hub)],
    [
      'to the hub version',
      (hub: ApiObject) => toHub(converter.fromHub(hub)),
      (hub: ApiObject) => converter.toHub(converter.fromHub(hub)),
    ],
  ] as const)
    it(`a large object is converted in pieces, which grow in proportion, as at once: ${what}`, () => {
      const hub = autoscaler(COUNT);
      const before = cloneJson(hub);
      const once = inPieces(convert(hub));
      const twice = inPieces(convert(autoscaler(2 * COUNT)));
      assert.deepEqual(once.result, atOnce(hub));
      assert.deepEqual(hub, before);
      assert.ok(once.pieces >= LEAST_PIECES, `${once.pieces} pieces`);
      assert.ok(twice.pieces <= MAX_GROWTH * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
    });

  it('labels are not decoded each time that a lossless lens decodes the other fields', () => {
    const piecesWith = (labels: number): number => inPieces(fromHub(autoscaler(1, labels))).pieces;
    const pieces = piecesWith(2 * COUNT) - piecesWith(COUNT);
    assert.ok(pieces <= (4 * COUNT) / STEPS_OF_A_PIECE, `${pieces} pieces`);
  });

  it('the JSON of a large object is converted in pieces, which grow in proportion, as at once', () => {
    const { convertJson } = converter.inPieces ?? assert.fail('no conversion in pieces');
    const jsonOf = (count: number): Buffer => encodeJson(autoscaler(count));
    const once = inPieces(convertJson(jsonOf(COUNT)));
    const twice = inPieces(convertJson(jsonOf(2 * COUNT)));
    assert.ok(once.result.equals(converter.convertJson(jsonOf(COUNT))));
    assert.ok(once.pieces >= LEAST_PIECES, `${once.pieces} pieces`);
    assert.ok(twice.pieces <= MAX_GROWTH * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
  });

  it('an object whose annotations do not match its fields is refused, in pieces as at once', () => {
    const broken = (): ApiObject => {
      const object = converter.fromHub(autoscaler(COUNT));
      for (const name of Object.keys(object.metadata.annotations ?? {}))
        object.metadata.annotations = { ...object.metadata.annotations, [name]: '{"a":' };
      return object;
    };
    const outcome = (convert: () => ApiObject): unknown => {
      try {
        return convert();
      } catch (error) {
        return String(error);
      }
    };
    assert.deepEqual(
      outcome(() => inPieces(toHub(broken())).result),
      outcome(() => converter.toHub(broken())),
    );
  });
});
