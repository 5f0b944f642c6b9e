import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiObject, namesFor } from '@orch/machinery';
import { type Subject, withBody } from './context.ts';
import { DEFINITIONS, definitionOf } from './custom-kind.ts';
import { send } from './repeat.ts';

type Schema = Readonly<Record<string, unknown>>;

const CONNECTIONS = 8;
const POLL_MS = 200;
const ESTABLISH_TIMEOUT_MS = 300_000;
const BIG_OBJECTS = 26;
const BIG_FIELDS = 8;

const description = (of: string): string => `The ${of} of the operator. `.repeat(5).slice(0, 150);

/** A typical field of the definitions of operators: described, of one of several types, with some limits. */
function fieldSchema(name: string, index: number): Schema {
  const types: readonly Schema[] = [
    { type: 'string', maxLength: 253 },
    { type: 'integer', format: 'int32', minimum: 0 },
    { type: 'boolean', default: false },
    { type: 'string', enum: ['Always', 'Never', 'IfNotPresent'] },
    { type: 'array', items: { type: 'string', pattern: '^[a-z0-9-]+$' } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ];
  return { description: description(name), ...types[index % types.length] };
}

/** Fields whose schemas have about 50 kB as JSON. */
export function bigFields(): Schema {
  const objectSchema = (of: string): Schema => ({
    type: 'object',
    description: description(of),
    properties: Object.fromEntries(
      Array.from({ length: BIG_FIELDS }, (_, i) => [`${of}Field${i}`, fieldSchema(`${of} field`, i)]),
    ),
  });
  const properties = Object.fromEntries(
    Array.from({ length: BIG_OBJECTS }, (_, i) => [`section${i}`, objectSchema(`section${i}`)]),
  );
  return { spec: { type: 'object', properties } };
}

/** Fields whose schemas are as short as those of the smallest definitions. */
export const smallFields = (): Schema => ({
  spec: { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } },
});

/** Definition number `index`, in one of `groups` groups. */
export function numbered(index: number, groups: number, fields: Schema): ApiObject {
  return definitionOf({
    group: `g${index % groups}.bench.example.com`,
    plural: `kinds${index}`,
    kind: `Kind${index}`,
    versions: [{ name: 'v1', fields }],
  });
}

/** Creates definitions and waits until the resources of all of them are served. */
export async function seedDefinitions(subject: Subject, definitions: readonly ApiObject[]): Promise<void> {
  const before = await servedResources(subject);
  await send(subject, {
    connections: CONNECTIONS,
    count: definitions.length,
    request: (index) => withBody('POST', DEFINITIONS, JSON.stringify(definitions[index])),
  });
  const deadline = AbortSignal.timeout(ESTABLISH_TIMEOUT_MS);
  while ((await servedResources(subject)) < before + definitions.length) {
    deadline.throwIfAborted();
    await sleep(POLL_MS);
  }
}

interface GroupDiscovery {
  readonly versions: readonly { readonly resources?: readonly unknown[] }[];
}

/** Number of resources in named groups. */
export async function servedResources({ server: { client } }: Subject): Promise<number> {
  const group = namesFor('kubernetes').group('apidiscovery');
  const accept = `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
  const answer = await client.get('/apis', { headers: { accept } });
  const { items } = answer.json as { readonly items: readonly GroupDiscovery[] };
  return items.flatMap(({ versions }) => versions.flatMap(({ resources = [] }) => resources)).length;
}
