import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import type { Exchange } from '../exchange.ts';
import { RandomSchemas } from './random-schemas.ts';
import { type RequestCase, sendAll } from './request-case.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Objects of each definition, each of which is sent in several ways. */
const OBJECTS = 12;

interface RandomCount {
  readonly count: number;
  readonly seed: number;
}

/** Creates definitions with random schemas and sends random objects of those that both servers serve. */
export async function compareDefinitionRequests(
  exchange: Exchange,
  { count, seed }: RandomCount,
): Promise<void> {
  exchange.begin('random definitions');
  for (let i = 0; i < count; i++) {
    const schemas = new RandomSchemas(seededRandom(seed * 10_000 + i));
    await compareDefinition(exchange, schemas, `r${seed}x${i}`);
  }
}

async function compareDefinition(exchange: Exchange, schemas: RandomSchemas, plural: string): Promise<void> {
  const [spec, status] = [schemas.schema(), schemas.schema()];
  const schema = { type: 'object', properties: { spec, ...(schemas.chance(0.4) ? { status } : {}) } };
  const subresources = schemas.chance(0.4) ? { subresources: { status: {} } } : {};
  const kind = `Kind${plural}`;
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...subresources },
      ],
    },
  };
  const step = JSON.stringify({ ...schema, ...subresources });
  const created = await exchange.send('POST', definitions, { body, step, project: causesAlone });
  const path = `${definitions}/${plural}.example.com`;
  const isCreated = (answer: unknown): boolean => isJsonObject(answer) && answer['kind'] !== 'Status';
  if (isCreated(created.reference) && isCreated(created.server)) {
    await compareObjects(exchange, schemas, { plural, kind, schema, step });
  }
  if (isCreated(created.reference) || isCreated(created.server))
    await exchange.send('DELETE', path, { step: 'delete the definition', project: () => 'deleted' });
}

interface Defined {
  readonly plural: string;
  readonly kind: string;
  readonly schema: JsonObject;
  readonly step: string;
}

async function compareObjects(
  exchange: Exchange,
  schemas: RandomSchemas,
  { plural, kind, schema, step }: Defined,
): Promise<void> {
  const collection = `/apis/example.com/v1/${plural}`;
  await served(exchange, collection);
  const objectOf = (name: string): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name },
    ...(schemas.value(schema) as object),
  });
  const objects = Array.from({ length: OBJECTS }, () => objectOf('a'));
  const shown = (object: JsonObject): string => {
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object;
    return `${JSON.stringify(rest)} of ${step}`;
  };
  await sendAll(
    exchange,
    objects.map((body) => ({
      method: 'POST',
      path: `${collection}?dryRun=All${schemas.pick(['', '&fieldValidation=Strict', '&fieldValidation=Ignore'])}`,
      body,
      step: shown(body),
      project: causesAlone,
    })),
  );
  for (const base of objects.slice(0, 4)) {
    const made = await exchange.send('POST', collection, {
      body: base,
      step: `for good ${shown(base)}`,
      project: causesAlone,
    });
    if (![made.reference, made.server].every((one) => isJsonObject(one) && one['kind'] === kind)) continue;
    await sendAll(
      exchange,
      objects.flatMap((body) => changes(`${collection}/a`, body, shown(body), JSON.stringify(base))),
    );
    await exchange.send('DELETE', `${collection}/a`, { step: 'delete the object' });
    break;
  }
}

function changes(path: string, body: JsonObject, shown: string, base: string): readonly RequestCase[] {
  const common = { body, step: `${shown} from ${base}`, project: causesAlone };
  return [
    { method: 'PATCH', path: `${path}?dryRun=All`, contentType: 'application/merge-patch+json', ...common },
    {
      method: 'PATCH',
      path: `${path}?dryRun=All&fieldManager=x&force=true`,
      contentType: 'application/apply-patch+yaml',
      ...common,
    },
    {
      method: 'PATCH',
      path: `${path}/status?dryRun=All`,
      contentType: 'application/merge-patch+json',
      ...common,
    },
  ];
}

/** Waits until both servers serve a collection; the reference does so a while after the definition is established. */
async function served(exchange: Exchange, path: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { reference, server } = await exchange.send('GET', path, { project: () => 'served', step: 'wait' });
    exchange.differences.splice(
      0,
      exchange.differences.length,
      ...exchange.differences.filter(({ request }) => !request.includes('(wait)')),
    );
    if ([reference, server].every((one) => isJsonObject(one) && String(one['kind']).endsWith('List'))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Reason and causes of a refusal; a definition without its status, which each server writes at another moment. */
function causesAlone(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  if (body['kind'] === 'Status') {
    const details = isJsonObject(body['details']) ? body['details'] : {};
    return { reason: body['reason'], causes: details['causes'] };
  }
  if (body['kind'] !== 'CustomResourceDefinition') return body;
  const { status: _status, metadata: _metadata, ...rest } = body;
  return rest;
}
