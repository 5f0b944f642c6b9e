import type { Subresource } from '@orch/apis';
import { type ApiObject, errors } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { resolveRef, type Schema, type StructSchema } from '@orch/schema';
import type { ConnectTarget } from '../context/connector.ts';
import type { RegistryContext } from '../context/registry-context.ts';

/** The options of connections through a subresource. Requests have them in the query, those of proxies in the path. */
export interface ConnectionOptions {
  /** As an object of their kind, for admission. */
  of(target: ConnectTarget): ApiObject;
  /** The target denoted by an object; `requested` itself when the object denotes it. */
  target(object: ApiObject, requested: ConnectTarget): ConnectTarget;
}

export function connectionOptions(
  { names, auxiliarySchema }: Pick<RegistryContext, 'names' | 'auxiliarySchema'>,
  { behaviour, kind: { group, version, kind } }: Subresource,
): ConnectionOptions {
  const schema = auxiliarySchema(group, version, kind);
  const { fieldsOf, targetOf } = behaviour === 'proxy' ? inPath : inQuery(schema);
  const of = (target: ConnectTarget): ApiObject => ({
    kind,
    apiVersion: names.apiVersion(group, version),
    metadata: {},
    ...fieldsOf(target),
  });
  return {
    of,
    target: (object, requested) =>
      jsonEquals(object, of(requested)) ? requested : targetOf(object, requested),
  };
}

/** The place of the options in a request. */
interface Place {
  fieldsOf(target: ConnectTarget): Readonly<Record<string, unknown>>;
  targetOf(options: Readonly<Record<string, unknown>>, requested: ConnectTarget): ConnectTarget;
}

/** Proxies have one option, the path; the query belongs to the request that is forwarded. */
const inPath: Place = {
  fieldsOf({ rest }) {
    const path = rest.slice(1).split('/').map(decodeURIComponent).join('/');
    return path === '' ? {} : { path };
  },
  targetOf({ path }, { rawQuery }) {
    const segments = String(path ?? '')
      .replace(/^\//, '')
      .split('/');
    if (segments.some((segment) => segment === '.' || segment === '..'))
      throw errors.badRequest('the path of the options must not contain dot segments');
    return { rawQuery, rest: `/${segments.map(encodeURIComponent).join('/')}` };
  },
};

const inQuery = ({ fields }: StructSchema): Place => ({
  fieldsOf({ rawQuery }) {
    const query = new URLSearchParams(rawQuery);
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
  },
  targetOf(options, { rawQuery, rest }) {
    const query = new URLSearchParams(rawQuery);
    for (const { name } of fields) {
      query.delete(name);
      for (const value of [options[name] ?? []].flat()) query.append(name, String(value));
    }
    return { rawQuery: query.toString(), rest };
  },
});

/** A value that cannot be read is refused by the connection itself. */
function scalarOf(schema: Schema, text: string): unknown {
  if (schema.kind !== 'scalar') return text;
  if (schema.type === 'bool') return isTrue(text);
  return schema.type === 'int32' && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** As for all flags in queries: everything but `0` and `false` is true, including the empty value. */
const isTrue = (value: string): boolean => value !== '0' && value.toLowerCase() !== 'false';
