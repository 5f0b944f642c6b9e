import type { ApiObject, Names } from '@orch/machinery';
import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import {
  type Field,
  resolveRef,
  type Schema,
  type SchemaRef,
  type StructSchema,
  type UnionSchema,
} from '@orch/schema';

type Selects = (field: Field) => boolean;
type Act = (struct: MutableJsonObject, name: string, field: Field) => void;
/** Calls `act` for the selected fields that a value may have. */
type Walk = (value: unknown, act: Act) => void;

/**
 * Fields of a kind that the release does not serve, or whose feature gate is disabled. They are dropped from objects that
 * clients send, unless the stored object has them already (k8s `dropDisabledFields`).
 */
export class DisabledFields {
  readonly #walk: Walk;

  private constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Undefined for kinds without disabled fields. */
  static of(schema: StructSchema, names: Names, isDisabled: Selects): DisabledFields | undefined {
    const walk = walkOf(schema, names, isDisabled);
    return walk === undefined ? undefined : new DisabledFields(walk);
  }

  /** The disabled fields that an object has; undefined when it has none, as most objects. */
  usedBy(object: ApiObject): ReadonlySet<Field> | undefined {
    let used: Set<Field> | undefined;
    this.#walk(object, (struct, name, field) => {
      if ((struct[name] ?? undefined) === undefined) return;
      used ??= new Set();
      used.add(field);
    });
    return used;
  }

  /** Removes all disabled fields but `kept` from an object. */
  prune(object: ApiObject, kept: ReadonlySet<Field>): void {
    this.#walk(object, (struct, name, field) => {
      if (!kept.has(field)) delete struct[name];
    });
  }
}

/**
 * Fields that a release always writes and later ones leave out where they are empty. An object that a later release has stored is
 * changed without them, so that a change of a label changes nothing else.
 */
export class OmittedFields {
  readonly #walk: Walk;

  private constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Undefined for kinds without such fields. */
  static of(schema: StructSchema, names: Names, isOmittedLater: Selects): OmittedFields | undefined {
    const walk = walkOf(schema, names, isOmittedLater);
    return walk === undefined ? undefined : new OmittedFields(walk);
  }

  /** Reports whether an object lacks one of them. */
  areMissingIn(object: ApiObject): boolean {
    let isMissing = false;
    this.#walk(object, (struct, name) => {
      isMissing ||= struct[name] === undefined;
    });
    return isMissing;
  }
}

/** Visits the selected fields of values of a schema; undefined for a schema without them. */
function walkOf(schema: StructSchema, names: Names, selects: Selects): Walk | undefined {
  const walks = new FieldWalks(names, selects);
  return walks.reaches(schema) ? walks.of(schema) : undefined;
}

/** Compiles schemas to walks; values whose schema contains no selected field are skipped. */
class FieldWalks {
  readonly #names: Names;
  readonly #selects: Selects;
  readonly #walks = new Map<Schema, Walk>();
  readonly #reaching = new Map<Schema, boolean>();

  constructor(names: Names, selects: Selects) {
    this.#names = names;
    this.#selects = selects;
  }

  /** Reports whether a schema contains selected fields at any depth; schemas may refer to themselves. */
  reaches(schema: Schema): boolean {
    const found = this.#reaching.get(schema);
    if (found !== undefined) return found;
    const seen = new Set<Schema>([schema]);
    let reached = false;
    for (const one of seen) {
      reached ||= one.kind === 'struct' && one.fields.some(this.#selects);
      for (const ref of below(one)) seen.add(resolveRef(ref));
    }
    this.#reaching.set(schema, reached);
    return reached;
  }

  of(schema: Schema): Walk {
    const known = this.#walks.get(schema);
    if (known !== undefined) return known;
    // Schemas that refer to themselves find this walk while it is compiled.
    this.#walks.set(schema, (value, act) => compiled(value, act));
    const compiled = this.#compile(schema);
    this.#walks.set(schema, compiled);
    return compiled;
  }

  #compile(schema: Schema): Walk {
    switch (schema.kind) {
      case 'scalar':
        return () => {};
      case 'list':
        return this.#each(schema.items);
      case 'map':
        return this.#each(schema.values);
      case 'union':
        return this.#union(schema);
      case 'struct':
        return this.#struct(schema);
    }
  }

  /** The items of a list or the values of a map. */
  #each(ref: SchemaRef | undefined): Walk {
    if (ref === undefined) return () => {};
    return (value, act) => {
      const walk = this.of(resolveRef(ref));
      if (Array.isArray(value)) for (const item of value) walk(item, act);
      else if (isJsonObject(value)) for (const item of Object.values(value)) walk(item, act);
    };
  }

  #union({ object, list }: UnionSchema): Walk {
    const items = this.#each(list?.schema);
    return (value, act) => {
      if (Array.isArray(value)) items(value, act);
      else if (object?.schema !== undefined) this.of(resolveRef(object.schema))(value, act);
    };
  }

  #struct({ fields }: StructSchema): Walk {
    const own: { readonly name: string; readonly field: Field }[] = [];
    const inner: { readonly name: string; readonly walk: Walk }[] = [];
    const inlined: Walk[] = [];
    for (const field of fields) {
      const name = this.#names.field(field.name);
      const schema = resolveRef(field.schema);
      if (this.#selects(field) && field.inline !== true) own.push({ name, field });
      else if (this.reaches(schema)) {
        if (field.inline === true) inlined.push(this.of(schema));
        else inner.push({ name, walk: this.of(schema) });
      }
    }
    return (value, act) => {
      if (!isJsonObject(value)) return;
      const struct = value as MutableJsonObject;
      for (const { name, field } of own) act(struct, name, field);
      for (const { name, walk } of inner) if (struct[name] !== undefined) walk(struct[name], act);
      for (const walk of inlined) walk(struct, act);
    };
  }
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
