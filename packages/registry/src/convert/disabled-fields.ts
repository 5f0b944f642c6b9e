import { type ApiObject, isJsonObject, type MutableJsonObject, type Names } from '@orch/machinery';
import { type Field, resolveRef, type Schema, type SchemaRef, type StructSchema } from '@orch/schema';

/**
 * Fields of a kind that the release does not serve, or whose feature gate is disabled. They are dropped from objects that
 * clients send, unless the stored object has them already (k8s `dropDisabledFields`).
 */
export interface DisabledFields {
  /** The disabled fields that an object has; undefined when it has none, as most objects. */
  usedBy(object: ApiObject): ReadonlySet<Field> | undefined;
  /** Removes all disabled fields but `kept` from an object. */
  prune(object: ApiObject, kept: ReadonlySet<Field>): void;
}

type Act = (struct: MutableJsonObject, name: string, field: Field) => void;
type Walk = (value: unknown, act: Act) => void;

/** Undefined for kinds without disabled fields. */
export function disabledFields(
  schema: StructSchema,
  names: Names,
  isDisabled: (field: Field) => boolean,
): DisabledFields | undefined {
  const reaches = reachable(isDisabled);
  if (!reaches(schema)) return undefined;
  const walk = walker(names, isDisabled, reaches);
  return {
    usedBy(object) {
      let used: Set<Field> | undefined;
      walk(schema, object, (struct, name, field) => {
        if ((struct[name] ?? undefined) === undefined) return;
        used ??= new Set();
        used.add(field);
      });
      return used;
    },
    prune(object, kept) {
      walk(schema, object, (struct, name, field) => {
        if (!kept.has(field)) delete struct[name];
      });
    },
  };
}

/** The schemas one level below a schema. */
function below(schema: Schema): readonly SchemaRef[] {
  switch (schema.kind) {
    case 'scalar':
      return [];
    case 'list':
      return [schema.items];
    case 'map':
      return [schema.values];
    case 'union':
      return [schema.object?.schema, schema.list?.schema].filter((ref) => ref !== undefined);
    case 'struct':
      return schema.fields.map((field) => field.schema);
  }
}

/** Whether a schema contains disabled fields at any depth; schemas may refer to themselves. */
function reachable(isDisabled: (field: Field) => boolean): (schema: Schema) => boolean {
  const known = new Map<Schema, boolean>();
  return (schema) => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const seen = new Set<Schema>([schema]);
    let reached = false;
    for (const one of seen) {
      reached ||= one.kind === 'struct' && one.fields.some(isDisabled);
      for (const ref of below(one)) seen.add(resolveRef(ref));
    }
    known.set(schema, reached);
    return reached;
  };
}

/** Visits the disabled fields in values of a schema; values whose schema contains none are skipped. */
function walker(
  names: Names,
  isDisabled: (field: Field) => boolean,
  reaches: (schema: Schema) => boolean,
): (schema: Schema, value: unknown, act: Act) => void {
  const walks = new Map<Schema, Walk>();
  const walkOf = (schema: Schema): Walk => {
    const known = walks.get(schema);
    if (known !== undefined) return known;
    // Schemas that refer to themselves find this one while their own is made.
    walks.set(schema, (value, act) => made(value, act));
    const made = makeWalk(schema);
    walks.set(schema, made);
    return made;
  };
  const each =
    (ref: SchemaRef | undefined): Walk =>
    (value, act) => {
      if (ref === undefined) return;
      const walk = walkOf(resolveRef(ref));
      if (Array.isArray(value)) for (const item of value) walk(item, act);
      else if (isJsonObject(value)) for (const item of Object.values(value)) walk(item, act);
    };
  const makeWalk = (schema: Schema): Walk => {
    switch (schema.kind) {
      case 'scalar':
        return () => {};
      case 'list':
        return each(schema.items);
      case 'map':
        return each(schema.values);
      case 'union': {
        const { object, list } = schema;
        const items = each(list?.schema);
        return (value, act) => {
          if (Array.isArray(value)) items(value, act);
          else if (object?.schema !== undefined) walkOf(resolveRef(object.schema))(value, act);
        };
      }
      case 'struct':
        return structWalk(schema);
    }
  };
  const structWalk = ({ fields }: StructSchema): Walk => {
    const own: { readonly name: string; readonly field: Field }[] = [];
    const inner: { readonly name: string; readonly walk: Walk }[] = [];
    const inlined: Walk[] = [];
    for (const field of fields) {
      const name = names.field(field.name);
      const schema = resolveRef(field.schema);
      if (isDisabled(field) && field.inline !== true) own.push({ name, field });
      else if (reaches(schema)) {
        if (field.inline === true) inlined.push(walkOf(schema));
        else inner.push({ name, walk: walkOf(schema) });
      }
    }
    return (value, act) => {
      if (!isJsonObject(value)) return;
      const struct = value as MutableJsonObject;
      for (const { name, field } of own) act(struct, name, field);
      for (const { name, walk } of inner) if (struct[name] !== undefined) walk(struct[name], act);
      for (const walk of inlined) walk(struct, act);
    };
  };
  return (schema, value, act) => walkOf(schema)(value, act);
}
