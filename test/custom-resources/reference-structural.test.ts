import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { formatSamples, RandomStructural } from '@orch/schema/testing';
import { assertSame, noReference, type Request, type Write } from './reference.ts';

const names = namesFor('kubernetes');

/** Seeds of the schemas, and how many: other ones can be tried by hand. */
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);
const schemas = Number(process.env['STRUCTURAL_SCHEMAS'] ?? 300);

const thing = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' },
};

function randomRequest(seed: number): Request {
  const random = new RandomStructural(seededRandom(seed), names);
  const schema = random.rootSchema();
  const object = (value: unknown): JsonObject => ({ ...(isJsonObject(value) ? value : {}), ...thing });
  const writes = Array.from({ length: 6 }, (_, i): Write => {
    const old = object(random.objectValue(schema));
    return i % 2 === 0 ? { object: old } : { object: object(random.changed(old, schema)), old };
  });
  return { schema, writes };
}

describe('structural schemas compared with the reference implementation', { skip: noReference }, () => {
  it('a structural schema stores the same objects and reports the same violations as the reference for random schemas and objects', () => {
    const requests = Array.from({ length: schemas }, (_, i) => randomRequest(first + i));
    assertSame(requests, (i) => `seed ${first + i}: ${JSON.stringify(requests[i]?.schema)}`);
  });

  it('a structural schema accepts and refuses the same strings of every format as the reference', () => {
    const requests = formatSamples.map(({ accepted, format, refused }): Request => {
      const text = { type: 'string', format };
      const writes = [...accepted, ...refused].map((spec): Write => ({ object: { ...thing, spec } }));
      return { schema: { type: 'object', properties: { spec: text } }, writes };
    });
    assertSame(requests, (i) => formatSamples[i]?.format ?? '');
  });
});
