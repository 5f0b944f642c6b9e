import type { Subresource } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import type { Answer, ResourceContext } from '@orch/request';
import { resolveRef, type Schema, type StructSchema } from '@orch/schema';
import { CachedCoreObjects } from '../internal/cached-core-objects.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { admissionOf, creating } from '../write/admission.ts';

/** Connects to a pod, a service or a node. All but reading a log is admitted as the operation `CONNECT`. */
export function connect(
  context: RegistryContext,
  resource: StoredResource,
  subresource: Subresource,
  call: ResourceContext,
): Answer {
  const { connector } = context;
  const connecting = (): Answer =>
    connector.connect(new CachedCoreObjects(context), resource.type.kind, subresource, call);
  if (subresource.behaviour === 'log') return connecting();
  const { info, request, user, trace } = call;
  const { namespace, name } = info;
  const admission = admissionOf(
    context,
    resource,
    { operation: 'CONNECT', subresource: info.subresource },
    { namespace, name, user, dryRun: false, signal: request.signal, trace },
  );
  if (admission === undefined) return connecting();
  const states = creating(optionsOf(context, subresource.kind, request.rawQuery));
  const admitted = async (): Promise<void> => {
    await admission.precheck();
    await admission.mutate?.(states);
    await admission.validate?.(states);
  };
  return admitted().then(connecting);
}

/** The options of a connection, which are in the query, as an object of their kind. */
function optionsOf(
  { names, auxiliarySchema }: RegistryContext,
  { group, version, kind }: Subresource['kind'],
  rawQuery: string,
): ApiObject {
  return {
    kind,
    apiVersion: names.apiVersion(group, version),
    metadata: {},
    ...fieldsOf(auxiliarySchema(group, version, kind), new URLSearchParams(rawQuery)),
  };
}

function fieldsOf({ fields }: StructSchema, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, schema } of fields) {
    const sent = query.getAll(name);
    if (sent.length === 0) continue;
    const type = resolveRef(schema);
    values[name] =
      type.kind === 'list'
        ? sent.map((text) => scalarOf(resolveRef(type.items), text))
        : scalarOf(type, sent[0] ?? '');
  }
  return values;
}

/** A value that cannot be read is refused by the connection itself. */
function scalarOf(schema: Schema, text: string): unknown {
  if (schema.kind !== 'scalar') return text;
  if (schema.type === 'bool') return isTrue(text);
  return schema.type === 'int32' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** As all flags in queries: everything but `0` and `false` is true, the empty value too. */
const isTrue = (value: string): boolean => value !== '0' && value.toLowerCase() !== 'false';
