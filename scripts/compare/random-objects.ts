import { isDeepStrictEqual } from 'node:util';
import { cloneJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import type { Exchange } from './exchange.ts';
import { refusal } from './invalid-objects.ts';
import { change, metadata, schemasOf, validObjects } from './random-changes.ts';
import { SchemaValues } from './schema-values.ts';
import { apiVersionOf, collectionOf, isWritable, type ServedResource } from './served-resources.ts';

export interface RandomOptions {
  /** Objects for each resource. */
  readonly count: number;
  readonly seed: number;
  /** Only resources of these kinds; all when absent. */
  readonly kinds: readonly string[] | undefined;
  /** Receives what both servers answer in the same way. */
  readonly record?: (line: RecordedAnswer) => void;
}

/** An object, and the answer to its creation: reason and field of each cause, each once and sorted, or that it is accepted. */
export interface RecordedAnswer {
  readonly path: string;
  readonly body: JsonObject;
  readonly answer: 'accepted' | { readonly code: number; readonly causes: readonly string[] };
}

/** What tests keep of an answer. */
export function answerOf(json: unknown): RecordedAnswer['answer'] {
  if (!isJsonObject(json) || json['kind'] !== 'Status') return 'accepted';
  const details = isJsonObject(json['details']) ? json['details'] : {};
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isJsonObject) : [];
  const texts = causes.map(({ reason, field }) => `${String(reason)} ${String(field)}`);
  return { code: Number(json['code']), causes: [...new Set(texts)].sort() };
}

/** Requests to a server at the same time. */
const AT_ONCE = 16;
/** Longer objects are not recorded, which keeps the file small. */
const MAX_RECORDED = 800;

/** Sends objects with random changes, valid and invalid, as dry runs of creations through every version of their kinds. */
export async function compareRandomObjects(
  exchange: Exchange,
  resources: readonly ServedResource[],
  { count, seed, kinds, record }: RandomOptions,
): Promise<void> {
  exchange.begin('random objects');
  const bases = validObjects();
  for (const resource of resources.filter((one) => isWritable(one) && (kinds?.includes(one.kind) ?? true))) {
    const { schemas, schema } = await schemasOf(exchange, resource);
    if (schema === undefined) continue;
    const values = new SchemaValues(schemas, metadata, seededRandom(seed));
    const known = bases.get(resource.kind) ?? [{ metadata: { name: 'a' } }];
    const bodies = Array.from({ length: count }, () => {
      const body = {
        ...(cloneJson(values.pick(known)) as JsonObject),
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
      };
      for (let changes = values.pick([1, 1, 1, 2, 2, 3]); changes > 0; changes--)
        change(values, body, schema);
      return body;
    });
    for (let first = 0; first < count; first += AT_ONCE)
      await Promise.all(
        bodies.slice(first, first + AT_ONCE).map(async (body) => {
          const path = `${collectionOf(resource)}?dryRun=All`;
          const step = JSON.stringify(body);
          const { reference, server } = await exchange.send('POST', path, { body, step, project: refusal });
          const answer = answerOf(reference);
          if (step.length <= MAX_RECORDED && isDeepStrictEqual(answer, answerOf(server)))
            record?.({ path, body, answer });
        }),
      );
  }
}
