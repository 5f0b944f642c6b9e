import { cloneJson, type JsonObject } from '@orch/machinery/json';
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
}

/** Requests to a server at the same time. */
const AT_ONCE = 16;
/** Sends objects with random changes, valid and invalid, as dry runs of creations through every version of their kinds. */
export async function compareRandomObjects(
  exchange: Exchange,
  resources: readonly ServedResource[],
  { count, seed, kinds }: RandomOptions,
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
        bodies.slice(first, first + AT_ONCE).map((body) =>
          exchange.send('POST', `${collectionOf(resource)}?dryRun=All`, {
            body,
            step: JSON.stringify(body),
            project: refusal,
          }),
        ),
      );
  }
}
