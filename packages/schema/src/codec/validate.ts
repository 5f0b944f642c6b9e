import { fieldError, type Names } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import { isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';
import type { Codec } from '../codec.ts';
import {
  type Check,
  type CheckContext,
  type Field,
  type ListSchema,
  type MapSchema,
  resolveRef,
  type Schema,
  type SchemaRef,
  type StructSchema,
  type UnionSchema,
} from '../schema.ts';
import { ValidationWalk } from '../walk/validation-walk.ts';
import { countRule, formatRule, isMissing, scalarRule, type ValueRule } from './constraints.ts';
import type { StructField, StructShape } from './struct-shape.ts';

/** Reports the errors of a value (present, of the right type) and everything below it. */
type Visit = (value: unknown, old: unknown, walk: ValidationWalk) => void;

const present = (visits: readonly (Visit | undefined)[]): readonly Visit[] =>
  visits.filter((visit) => visit !== undefined);

function inTurn(visits: readonly (Visit | undefined)[]): Visit | undefined {
  const all = present(visits);
  if (all.length < 2) return all[0];
  return (value, old, walk) => {
    for (const visit of all) visit(value, old, walk);
  };
}

function unlessUnchanged(name: string, visit: Visit | undefined): Visit | undefined {
  if (visit === undefined) return undefined;
  return (struct, oldStruct, walk) => {
    const old = (oldStruct as JsonObject | undefined)?.[name];
    if (old === undefined || !jsonEquals((struct as JsonObject)[name], old)) visit(struct, oldStruct, walk);
  };
}

/** Finds what an item was before the update. */
type Past = (item: unknown, index: number) => unknown;

const noPast: Past = () => undefined;

/** Pairs items of a list with those of the old list by their keys; items without keys have no past. */
function pastOf(keys: readonly string[], old: readonly unknown[]): Past {
  const identity = (item: unknown): string =>
    JSON.stringify(isJsonObject(item) ? keys.map((key) => item[key] ?? null) : item);
  let byIdentity: Map<string, unknown> | undefined;
  return (item, index) => {
    // Most updates leave the order alone.
    const same = old[index];
    if (isJsonObject(item) && isJsonObject(same) && keys.every((key) => item[key] === same[key])) return same;
    byIdentity ??= new Map(old.map((other) => [identity(other), other]));
    return byIdentity.get(identity(item));
  };
}

/** Checks for values of a schema: a rule that needs no path, and the visit of nested values. */
interface ValueChecks {
  readonly rule?: ValueRule | undefined;
  readonly below?: Visit | undefined;
}

const isFree = ({ rule, below }: ValueChecks): boolean => rule === undefined && below === undefined;

/** Applies the checks to the value at `segment`. */
type VisitPart = (segment: string, value: unknown, old: unknown, walk: ValidationWalk) => void;

/** The path is extended only for values with an error, or with parts to visit. */
function visitPart({ rule, below }: ValueChecks): VisitPart {
  return (segment, value, old, walk) => {
    const holds = rule === undefined || rule.holds(value);
    if (holds && below === undefined) return;
    const outer = walk.enter(segment);
    if (!holds) rule?.report(value, walk);
    below?.(value, old, walk);
    walk.leave(outer);
  };
}

/**
 * Reports no errors of a part whose old value has errors, too; those of large values, whose parts are visited later, are
 * always reported.
 */
const toleratingOldErrors =
  (visit: VisitPart): VisitPart =>
  (segment, value, old, walk) => {
    const { errors, root, operation, names, since } = walk;
    const known = errors.length;
    visit(segment, value, old, walk);
    if (errors.length === known || old === undefined) return;
    const past = new ValidationWalk(root, { operation, names, since });
    visit(segment, old, undefined, past);
    if (past.errors.length > 0) errors.length = known;
  };

/** `[0]`, `[1]` and so on for short lists. */
const indexSegments: readonly string[] = Array.from({ length: 64 }, (_, i) => `[${i}]`);
const indexSegment = (i: number): string => indexSegments[i] ?? `[${i}]`;

/**
 * Reports also the items of a list that repeat the field `by` of an earlier one without errors. The parts of large items are
 * visited later, and count as free of errors.
 */
function repeatingNone(visit: VisitPart, by: string): VisitPart {
  const seen = new Set<unknown>();
  return (segment, value, old, walk) => {
    const known = walk.errors.length;
    const identity = isJsonObject(value) ? value[by] : undefined;
    visit(segment, value, old, walk);
    if (seen.has(identity)) {
      const outer = walk.enter(`${segment}.${by}`);
      walk.report(fieldError.duplicate(walk.path, identity));
      walk.leave(outer);
    } else if (walk.errors.length === known) seen.add(identity);
  };
}

type UniqueItems = Pick<Field, 'uniqueBy' | 'uniqueAmongValid'>;

function visitItems(
  item: ValueChecks,
  list: ListSchema,
  { uniqueBy, uniqueAmongValid }: UniqueItems,
  names: Names,
): Visit {
  const keys = (list.mapKeys ?? (uniqueBy ? [uniqueBy] : [])).map((key) => names.field(key));
  const visitItem = visitPart(item);
  return (value, old, walk) => {
    if (!Array.isArray(value)) return;
    const visit =
      uniqueAmongValid === true ? repeatingNone(visitItem, names.field(uniqueBy ?? '')) : visitItem;
    const past = keys.length > 0 && Array.isArray(old) ? pastOf(keys, old) : noPast;
    if (walk.divides(value)) {
      walk.postpone(value.length, (i, part) => visit(indexSegment(i), value[i], past(value[i], i), part));
      return;
    }
    for (let i = 0; i < value.length && !walk.full; i++) {
      visit(indexSegment(i), value[i], past(value[i], i), walk);
    }
  };
}

function visitEntries({ keyFormat }: MapSchema, item: ValueChecks): Visit | undefined {
  if (isFree(item) && keyFormat === undefined) return undefined;
  const visit = visitPart(item);
  const visitEntry = (key: string, value: JsonObject, old: unknown, walk: ValidationWalk): void => {
    const segment = `[${key}]`;
    const wrong = keyFormat === undefined ? undefined : validateFormat(keyFormat, key);
    if (wrong !== undefined) {
      const outer = walk.enter(segment);
      walk.report(fieldError.invalid(walk.path, key, wrong));
      walk.leave(outer);
    }
    visit(segment, value[key], isJsonObject(old) ? old[key] : undefined, walk);
  };
  return (value, old, walk) => {
    if (!isJsonObject(value)) return;
    const keys = Object.keys(value);
    if (walk.divides(value)) {
      walk.postpone(keys.length, (i, part) => visitEntry(keys[i] ?? '', value, old, part));
      return;
    }
    for (const key of keys) {
      if (walk.full) return;
      visitEntry(key, value, old, walk);
    }
  };
}

/** No two items with the same value of the field `by`, or of the item itself. */
function uniqueItems(by: string, countsEmpty: boolean): Visit {
  return (value, _old, walk) => {
    if (!Array.isArray(value) || value.length < 2) return;
    const seen = new Set<string>();
    for (let i = 0; i < value.length && !walk.full; i++) {
      const item: unknown = value[i];
      const identity = by === '' ? item : isJsonObject(item) ? item[by] : undefined;
      if (identity === undefined || (identity === '' && !countsEmpty)) continue;
      const key = typeof identity === 'string' ? identity : JSON.stringify(identity);
      if (seen.has(key)) {
        const outer = walk.enter(by === '' ? `[${i}]` : `[${i}].${by}`);
        walk.report(fieldError.duplicate(walk.path, identity));
        walk.leave(outer);
      }
      seen.add(key);
    }
  };
}

const none: ValueChecks = {};

/** Compiles the rules of schemas, each on first use. */
class ValidatorCompiler {
  readonly #shapeFor: (schema: StructSchema) => StructShape;
  readonly #names: Names;
  readonly #known = new WeakMap<StructSchema, Visit | 'none'>();

  constructor(shapeFor: (schema: StructSchema) => StructShape, names: Names) {
    this.#shapeFor = shapeFor;
    this.#names = names;
  }

  /** Undefined when nothing below has a rule, so that the walk can leave it out. */
  struct(schema: StructSchema): Visit | undefined {
    const known = this.#known.get(schema);
    if (known !== undefined) return known === 'none' ? undefined : known;
    let compiled: Visit | undefined;
    // A schema that refers to itself meets this forwarder instead of compiling itself again.
    this.#known.set(schema, (value, old, walk) => compiled?.(value, old, walk));
    const shape = this.#shapeFor(schema);
    compiled = this.#structOf(this.#structFields(shape.fields), shape.checks);
    this.#known.set(schema, compiled ?? 'none');
    return compiled;
  }

  /**
   * A whole object, without its metadata. A field that an update leaves unchanged is not validated: it was valid when it
   * was written, and a rule that was added later applies only to changes.
   */
  object(schema: StructSchema): Visit | undefined {
    const shape = this.#shapeFor(schema);
    const fields = shape.fields.filter((structField) => structField.name !== 'metadata');
    const changed = fields.map((structField) =>
      unlessUnchanged(structField.name, this.#structField(structField)),
    );
    return this.#structOf(present(changed), shape.checks);
  }

  #structFields(fields: readonly StructField[]): readonly Visit[] {
    return present(fields.map((structField) => this.#structField(structField)));
  }

  #structOf(fields: readonly Visit[], checks: readonly Check[]): Visit | undefined {
    if (fields.length === 0 && checks.length === 0) return undefined;
    return (value, old, walk) => {
      if (!isJsonObject(value)) return;
      const past = isJsonObject(old) ? old : undefined;
      for (const visit of fields) visit(value, past, walk);
      const context = checks.length > 0 ? walk.context(past) : undefined;
      if (context === undefined) return;
      for (const check of checks) for (const error of check(value, context)) walk.report(error);
    };
  }

  /** The rules of a field, as a visit of the struct that holds it. */
  #structField({ name, field, unchecked }: StructField): Visit | undefined {
    const checks = unchecked ? none : this.#value(field, resolveRef(field.schema));
    if (field.required || field.immutable) return strictField(name, field, checks);
    if (isFree(checks)) return undefined;
    const segment = `.${field.nameInErrors ?? name}`;
    const visitAll = visitPart(checks);
    const visit = field.toleratesOldErrors === true ? toleratingOldErrors(visitAll) : visitAll;
    const { validatedIf } = field;
    const isOnCreate = field.validatedOnCreate === true;
    return (struct, oldStruct, walk) => {
      const value = (struct as JsonObject)[name];
      if (value === undefined || value === null || (isOnCreate && walk.operation !== 'create')) return;
      if (validatedIf?.(struct as JsonObject, walk.names, walk.path) === false) return;
      visit(segment, value, (oldStruct as JsonObject | undefined)?.[name], walk);
    };
  }

  /** The rules of a value of a field. */
  #value(field: Field, schema: Schema): ValueChecks {
    switch (schema.kind) {
      case 'scalar':
        return { rule: scalarRule(field, schema) };
      case 'struct':
        return { below: this.struct(schema) };
      case 'list': {
        const item = this.#item(field, resolveRef(schema.items));
        const below = inTurn([
          isFree(item) ? undefined : visitItems(item, schema, field, this.#names),
          field.uniqueBy === undefined || field.uniqueAmongValid === true
            ? undefined
            : uniqueItems(this.#names.field(field.uniqueBy), field.uniqueWithEmpty === true),
        ]);
        return { rule: countRule(field), below };
      }
      case 'map':
        return {
          rule: countRule(field),
          below: visitEntries(schema, this.#item(field, resolveRef(schema.values))),
        };
      case 'union':
        return { below: this.#union(schema) };
    }
  }

  /** The rules of the variant that the value has. */
  #union({ object, list }: UnionSchema): Visit | undefined {
    const rulesOf = (ref: SchemaRef | undefined): ValueChecks => {
      const schema = ref === undefined ? undefined : resolveRef(ref);
      return schema === undefined ? none : this.#value({ ...unconstrained, schema }, schema);
    };
    const { below: objects } = rulesOf(object?.schema);
    const items = rulesOf(list?.schema);
    if (objects === undefined && isFree(items)) return undefined;
    const lists = isFree(items)
      ? undefined
      : visitItems(items, { kind: 'list', items: list?.schema as SchemaRef }, {}, this.#names);
    return (value, old, walk) => {
      if (Array.isArray(value)) lists?.(value, old, walk);
      else if (isJsonObject(value)) objects?.(value, old, walk);
    };
  }

  /** Constraints of a list or map about scalars are about its items; those of deeper levels have none. */
  #item(field: Field, schema: Schema): ValueChecks {
    // That a list is required does not say that its items are.
    if (schema.kind === 'scalar') return { rule: scalarRule({ ...field, required: false }, schema) };
    return this.#value({ ...unconstrained, schema }, schema);
  }
}

/** The rules of a field that is required or immutable. */
function strictField(name: string, field: Field, checks: ValueChecks): Visit {
  const { required, immutable, validatedOnCreate } = field;
  const segment = `.${name}`;
  const visit = visitPart(checks);
  const zeroIsPresent = field.presence === 'pointer';
  const empty =
    field.emptyIsInvalid === true && field.format !== undefined ? formatRule(field.format) : undefined;
  return (struct, oldStruct, walk) => {
    const value = (struct as JsonObject)[name];
    const old = (oldStruct as JsonObject | undefined)?.[name];
    const missing = required === true && isMissing(value, zeroIsPresent);
    const changed = immutable === true && oldStruct !== undefined && !jsonEquals(value ?? null, old ?? null);
    if (missing || changed) {
      const outer = walk.enter(segment);
      if (missing) {
        walk.report(fieldError.required(walk.path));
        empty?.report('', walk);
      }
      if (changed) walk.report(fieldError.invalid(walk.path, value ?? null, 'field is immutable'));
      walk.leave(outer);
    }
    if (missing || value === undefined || value === null) return;
    if (validatedOnCreate !== true || walk.operation === 'create') visit(segment, value, old, walk);
  };
}

const unconstrained: Omit<Field, 'schema'> = { name: '', num: 0, presence: 'optional', doc: '' };

/** Compiles `Codec.validate` functions that share what their schemas share. */
export function validatorCompiler(
  shapeFor: (schema: StructSchema) => StructShape,
  { names, since }: Pick<CheckContext, 'names' | 'since'>,
): (schema: StructSchema) => Codec['validate'] {
  const compiler = new ValidatorCompiler(shapeFor, names);
  return (schema) => {
    let visit: Visit | undefined;
    let compiled = false;
    return (value, old, postponed, isDivided) => {
      if (!compiled) {
        visit = compiler.object(schema);
        compiled = true;
      }
      if (visit === undefined) return [];
      const operation = old === undefined ? 'create' : 'update';
      const walk = new ValidationWalk(value, { operation, names, since, postponed, isDivided });
      visit(value, old, walk);
      return walk.errors;
    };
  };
}
