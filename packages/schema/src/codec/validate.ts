import {
  type ApiObject,
  type FieldError,
  fieldError,
  jsonEquals,
  type Names,
  validateFormat,
} from '@orch/machinery';
import {
  type Check,
  type Field,
  type ListSchema,
  type MapSchema,
  resolveRef,
  type Schema,
  type StructSchema,
} from '../schema.ts';
import { countRule, isMissing, scalarRule, type ValueRule } from './constraints.ts';
import type { MemberShape, StructShape } from './members.ts';
import { ValidationWalk } from './validation-walk.ts';

type Struct = Readonly<Record<string, unknown>>;

/** Reports what is wrong with a value (present, of the right type) and everything below it. */
type Visit = (value: unknown, old: unknown, walk: ValidationWalk) => void;

const isStruct = (value: unknown): value is Struct =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inTurn(visits: readonly (Visit | undefined)[]): Visit | undefined {
  const present = visits.filter((visit) => visit !== undefined);
  if (present.length < 2) return present[0];
  return (value, old, walk) => {
    for (const visit of present) visit(value, old, walk);
  };
}

/** Finds what an item was before the update. */
type Past = (item: unknown, index: number) => unknown;

const noPast: Past = () => undefined;

/** Pairs items of a list with those of the old list by their keys; items without keys have no past. */
function pastOf(keys: readonly string[], old: readonly unknown[]): Past {
  const identity = (item: unknown): string =>
    JSON.stringify(isStruct(item) ? keys.map((key) => item[key] ?? null) : item);
  let byIdentity: Map<string, unknown> | undefined;
  return (item, index) => {
    // Most updates leave the order alone.
    const same = old[index];
    if (isStruct(item) && isStruct(same) && keys.every((key) => item[key] === same[key])) return same;
    byIdentity ??= new Map(old.map((other) => [identity(other), other]));
    return byIdentity.get(identity(item));
  };
}

function visitItems(item: Visit, list: ListSchema, uniqueBy: string | undefined, names: Names): Visit {
  const keys = (list.mapKeys ?? (uniqueBy ? [uniqueBy] : [])).map((key) => names.field(key));
  return (value, old, walk) => {
    if (!Array.isArray(value)) return;
    const past = keys.length > 0 && Array.isArray(old) ? pastOf(keys, old) : noPast;
    for (let i = 0; i < value.length && !walk.full; i++) {
      walk.enter(`[${i}]`);
      item(value[i], past(value[i], i), walk);
      walk.leave();
    }
  };
}

function visitEntries({ keyFormat }: MapSchema, item: Visit | undefined): Visit | undefined {
  if (item === undefined && keyFormat === undefined) return undefined;
  return (value, old, walk) => {
    if (!isStruct(value)) return;
    for (const key of Object.keys(value)) {
      if (walk.full) return;
      walk.enter(`[${key}]`);
      const wrong = keyFormat === undefined ? undefined : validateFormat(keyFormat, key);
      if (wrong !== undefined) walk.report(fieldError.invalid(walk.path, key, wrong));
      item?.(value[key], isStruct(old) ? old[key] : undefined, walk);
      walk.leave();
    }
  };
}

/** No two items with the same value of the member `by`, or of the item itself. */
function uniqueItems(by: string): Visit {
  return (value, _old, walk) => {
    if (!Array.isArray(value) || value.length < 2) return;
    const seen = new Set<string>();
    for (let i = 0; i < value.length && !walk.full; i++) {
      const item: unknown = value[i];
      const identity = by === '' ? item : isStruct(item) ? item[by] : undefined;
      if (identity === undefined || identity === '') continue;
      const key = typeof identity === 'string' ? identity : JSON.stringify(identity);
      if (seen.has(key)) {
        walk.enter(by === '' ? `[${i}]` : `[${i}].${by}`);
        walk.report(fieldError.duplicate(walk.path, identity));
        walk.leave();
      }
      seen.add(key);
    }
  };
}

const asVisit = (rule: ValueRule | undefined): Visit | undefined =>
  rule === undefined ? undefined : (value, _old, walk) => rule(value, walk);

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
  struct(schema: StructSchema, skip?: string): Visit | undefined {
    const known = skip === undefined ? this.#known.get(schema) : undefined;
    if (known !== undefined) return known === 'none' ? undefined : known;
    let compiled: Visit | undefined;
    // A schema that refers to itself meets this forwarder instead of compiling itself again.
    if (skip === undefined) this.#known.set(schema, (value, old, walk) => compiled?.(value, old, walk));
    const shape = this.#shapeFor(schema);
    const members = shape.members.filter((member) => member.name !== skip);
    compiled = this.#structOf(
      members.map((member) => this.#member(member)).filter((v) => v !== undefined),
      shape.checks,
    );
    if (skip === undefined) this.#known.set(schema, compiled ?? 'none');
    return compiled;
  }

  #structOf(members: readonly Visit[], checks: readonly Check[]): Visit | undefined {
    if (members.length === 0 && checks.length === 0) return undefined;
    return (value, old, walk) => {
      if (!isStruct(value)) return;
      const past = isStruct(old) ? old : undefined;
      for (const visit of members) visit(value, past, walk);
      const context = checks.length > 0 ? walk.context(past) : undefined;
      if (context === undefined) return;
      for (const check of checks) for (const error of check(value, context)) walk.report(error);
    };
  }

  /** The rules of a member, as a visit of the struct that holds it. */
  #member({ name, field }: MemberShape): Visit | undefined {
    const inner = this.#value(field, resolveRef(field.schema));
    const { required, immutable } = field;
    if (inner === undefined && !required && !immutable) return undefined;
    const segment = `.${name}`;
    const zeroIsPresent = field.presence === 'pointer';
    return (struct, oldStruct, walk) => {
      const value = (struct as Struct)[name];
      const old = (oldStruct as Struct | undefined)?.[name];
      const missing = required === true && isMissing(value, zeroIsPresent);
      const changed =
        immutable === true && oldStruct !== undefined && !jsonEquals(value ?? null, old ?? null);
      const present = value !== undefined && value !== null;
      if (!missing && !changed && (!present || inner === undefined)) return;
      walk.enter(segment);
      if (missing) walk.report(fieldError.required(walk.path));
      else {
        if (changed) walk.report(fieldError.invalid(walk.path, value ?? null, 'field is immutable'));
        if (present) inner?.(value, old, walk);
      }
      walk.leave();
    };
  }

  /** The rules of a value of a member. */
  #value(field: Field, schema: Schema): Visit | undefined {
    switch (schema.kind) {
      case 'scalar':
        return asVisit(scalarRule(field, schema));
      case 'struct':
        return this.struct(schema);
      case 'list': {
        const item = this.#item(field, resolveRef(schema.items));
        return inTurn([
          asVisit(countRule(field)),
          item && visitItems(item, schema, field.uniqueBy, this.#names),
          field.uniqueBy === undefined ? undefined : uniqueItems(this.#names.field(field.uniqueBy)),
        ]);
      }
      case 'map':
        return inTurn([
          asVisit(countRule(field)),
          visitEntries(schema, this.#item(field, resolveRef(schema.values))),
        ]);
    }
  }

  /** Constraints of a list or map about scalars are about its items; those of deeper levels have none. */
  #item(field: Field, schema: Schema): Visit | undefined {
    if (schema.kind === 'scalar') return asVisit(scalarRule(field, schema));
    return this.#value({ ...unconstrained, schema }, schema);
  }
}

const unconstrained: Omit<Field, 'schema'> = { name: '', num: 0, presence: 'optional', doc: '' };

/** Compiles `Codec.validate` functions that share what their schemas share. */
export function validatorCompiler(
  shapeFor: (schema: StructSchema) => StructShape,
  names: Names,
): (schema: StructSchema) => (value: ApiObject, old?: ApiObject) => readonly FieldError[] {
  const compiler = new ValidatorCompiler(shapeFor, names);
  return (schema) => {
    let visit: Visit | undefined;
    let compiled = false;
    return (value, old) => {
      if (!compiled) {
        visit = compiler.struct(schema, 'metadata');
        compiled = true;
      }
      if (visit === undefined) return [];
      const walk = new ValidationWalk(value, old === undefined ? 'create' : 'update', names);
      visit(value, old, walk);
      return walk.errors;
    };
  };
}
