import type { ApiObject } from '@orch/machinery';
import { asObject, specOf } from '@orch/machinery/json';
import type { Subject } from '../../lib/context.ts';
import { BENCH_GROUP, fieldsIn, padded, schemaOf } from '../../lib/custom-kind.ts';
import { deployment } from '../apply.ts';

/** A built-in kind, and the fields that custom kinds have in its place. */
export interface WriteShape {
  readonly name: string;
  /** Path of the built-in collection. */
  readonly path: string;
  /** The built-in object, as clients send it. */
  builtIn(name: string, revision: number): ApiObject;
  /** A merge patch that changes one field. */
  patch(revision: number): object;
  /** Schemas of the fields of the custom kind. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields of the custom kind with the values of a built-in object. */
  custom(builtIn: ApiObject): Readonly<Record<string, unknown>>;
  readonly note: string;
}

const FIELDS = 200;

/** An object as the server stores it: with the defaults, so that custom objects have the same fields. */
async function stored(subject: Subject, path: string, object: object): Promise<ApiObject> {
  const answer = await subject.server.client.post(path, object);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json as ApiObject;
}

/** Deployments, and a kind whose spec is that of a deployment. */
export async function deploymentShape(subject: Subject): Promise<WriteShape> {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const sample = await stored(subject, path, deployment('sample', 0));
  const spec = JSON.stringify(specOf(sample));
  const builtIn = (name: string, revision: number): ApiObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels: { app: 'sample', 'example.com/part-of': 'bench' } },
    spec: JSON.parse(spec.replace('main:1.2.0', `main:1.2.${revision}`)),
  });
  const declared = padded(schemaOf([specOf(sample)]), FIELDS - 1);
  return {
    name: '4 KB with lists',
    path,
    builtIn,
    patch: (revision) => ({ spec: { replicas: 1 + (revision % 1000) } }),
    fields: { spec: declared },
    custom: (object) => ({ spec: object['spec'] }),
    note: `the same spec as a Deployment; the schema declares ${1 + fieldsIn(declared)} fields`,
  };
}

/** ConfigMaps, and a kind with a declared string for each entry. */
export function configMapShape(): WriteShape {
  const values = Object.fromEntries(
    Array.from({ length: FIELDS - 1 }, (_, i) => [`field${i}`, `value-${i}-of-200`]),
  );
  const schema = schemaOf([values]);
  return {
    name: '200 strings',
    path: '/api/v1/namespaces/default/configmaps',
    builtIn: (name, revision) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', labels: { app: 'bench' } },
      data: { ...values, field7: `revision-${revision}` },
    }),
    patch: (revision) => ({ data: { field7: `patched-${revision}` } }),
    fields: { data: schema },
    custom: (object) => ({ data: asObject(object['data']) }),
    note: `a ConfigMap with the same 199 entries; the schema declares ${1 + fieldsIn(schema)} fields, all of them set`,
  };
}

/** The object of a custom kind with the fields of a built-in one. */
export const customOf = (shape: WriteShape, kind: string, object: ApiObject): ApiObject => ({
  apiVersion: `${BENCH_GROUP}/v1`,
  kind,
  metadata: object.metadata,
  ...shape.custom(object),
});
