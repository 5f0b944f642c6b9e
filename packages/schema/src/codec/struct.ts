import {
  isExactNumber,
  type JsonObject,
  type MutableJsonObject,
  type Names,
  setMember,
} from '@orch/machinery';
import { type ComputeDefault, type Derive, type Field, resolveRef, type Schema } from '../schema.ts';
import { type ReadMembers, structuralReader } from '../structural/structural-reader.ts';
import { type Assemble, compileAssemble } from './assemble.ts';
import { DecodeContext, maxDepth } from './context.ts';
import type { Read, Reader } from './scalars.ts';
import type { MemberShape, StructShape } from './struct-shape.ts';

/** A member, ready to be read. */
interface Member {
  readonly name: string;
  readonly segment: string;
  /** A string member that is dropped when empty: most members are, so they are read without a call. */
  readonly plainString: boolean;
  /** The value when it counts as present, undefined when it is absent or dropped. */
  readonly read: Read;
  /** Written when nothing else is; undefined for members that are then omitted. */
  readonly absent: ((context: DecodeContext) => unknown) | undefined;
  readonly fixedDefault: unknown;
  readonly computedDefault: ComputeDefault | undefined;
}

function isEmptyObject(value: object): boolean {
  for (const _name in value) return false;
  return true;
}

/** Wraps a reader so that values which the presence rule drops come out as undefined, like absent ones. */
function dropZero(schema: Schema, { read }: Reader): Read {
  switch (schema.kind) {
    case 'scalar':
      return (value, context) => read(value, context) || undefined;
    case 'list':
      return (value, context) => {
        const list = read(value, context) as readonly unknown[] | undefined;
        return list === undefined || list.length === 0 ? undefined : list;
      };
    case 'map':
      return (value, context) => {
        const map = read(value, context) as object | undefined;
        return map === undefined || isEmptyObject(map) ? undefined : map;
      };
    case 'struct':
    case 'union':
      return read;
  }
}

/** Whether the zero value counts as present. */
function keepsZero(field: Field, schema: Schema): boolean {
  if (field.presence === 'pointer') return true;
  if (field.presence === 'always' && field.nullable === true) return true;
  // `false` and 0 are as good as any other JSON value.
  return schema.kind === 'scalar' && schema.type === 'json';
}

function memberOf({ name, field }: MemberShape, readerOf: (schema: Schema) => Reader): Member {
  const schema = resolveRef(field.schema);
  const reader = readerOf(schema);
  const absent = field.nullable === true ? () => null : reader.zero;
  return {
    name,
    segment: `.${name}`,
    plainString: schema.kind === 'scalar' && schema.type === 'string' && !keepsZero(field, schema),
    read: keepsZero(field, schema) ? reader.read : dropZero(schema, reader),
    absent: field.presence === 'always' ? absent : undefined,
    fixedDefault: typeof field.default === 'function' ? undefined : field.default,
    computedDefault: typeof field.default === 'function' ? (field.default as ComputeDefault) : undefined,
  };
}

/** Fills empty slots with defaults: fixed ones first, then those computed from the struct, in declaration order. */
function fillDefaults(
  { assemble, members }: Plan,
  slots: unknown[],
  context: DecodeContext,
  names: Names,
): void {
  let computed = false;
  for (let i = 0; i < members.length; i++) {
    if (slots[i] !== undefined) continue;
    const { fixedDefault, computedDefault, read } = members[i] as Member;
    if (computedDefault !== undefined) computed = true;
    else if (fixedDefault !== undefined) slots[i] = read(fixedDefault, context) ?? undefined;
  }
  if (!computed) return;
  const view: MutableJsonObject = assemble(slots, context);
  for (let i = 0; i < members.length; i++) {
    const { name, computedDefault, read } = members[i] as Member;
    if (slots[i] !== undefined || computedDefault === undefined) continue;
    const value = computedDefault(view, names, context.root);
    if (value === undefined || value === null) continue;
    slots[i] = view[name] = read(value, context) ?? undefined;
  }
}

/** Everything a struct reader needs, made on first use so that declarations may refer to each other. */
interface Plan {
  readonly members: readonly Member[];
  readonly assemble: Assemble;
  readonly index: ReadonlyMap<string, number>;
  readonly hasDefaults: boolean;
  readonly derives: readonly Derive[];
  /** Reads the members that are not declared; without it they are dropped. */
  readonly readRest: ReadMembers | undefined;
}

/** The reader of members that follow a structural schema. Metadata within them is read as that of the object itself. */
function restReader({ members, rest }: StructShape, readerOf: (schema: Schema) => Reader): Plan['readRest'] {
  if (rest === undefined) return undefined;
  const metadata = members.find(({ name }) => name === 'metadata');
  if (metadata === undefined) throw new TypeError('a kind with a structural schema has no metadata');
  return structuralReader(rest, readerOf(resolveRef(metadata.field.schema)).read);
}

function planOf(shape: StructShape, readerOf: (schema: Schema) => Reader): Plan {
  const members = shape.members.map((member) => memberOf(member, readerOf));
  return {
    members,
    assemble: compileAssemble(members),
    index: new Map(members.map(({ name }, i) => [name, i])),
    hasDefaults: members.some((m) => m.fixedDefault !== undefined || m.computedDefault !== undefined),
    derives: shape.derives,
    readRest: restReader(shape, readerOf),
  };
}

/** Members of the input that are not declared, where they follow a schema of their own. */
function restOf({ index }: Plan, input: JsonObject): JsonObject {
  const rest: MutableJsonObject = {};
  for (const name of Object.keys(input)) if (!index.has(name)) setMember(rest, name, input[name]);
  return rest;
}

/** Reads the members that the schema knows, in whatever order they come. */
function readMembers(plan: Plan, input: JsonObject, context: DecodeContext): unknown[] {
  const { members, index } = plan;
  const slots: unknown[] = new Array(members.length);
  for (const name in input) {
    const i = index.get(name);
    if (i === undefined) {
      if (context.reportUnknown && plan.readRest === undefined) context.unknown(`.${name}`);
      continue;
    }
    const raw = input[name];
    if (raw === null || raw === undefined) continue;
    const member = members[i] as Member;
    if (member.plainString && typeof raw === 'string') {
      if (raw !== '') slots[i] = raw;
      continue;
    }
    const seen = context.count;
    const value = member.read(raw, context);
    if (context.count !== seen) context.within(seen, member.segment);
    if (value !== null) slots[i] = value;
  }
  return slots;
}

/** Reads a struct: known members in declaration order, presence rules and, when asked for, defaults applied. */
export function structReader(
  shape: () => StructShape,
  readerOf: (schema: Schema) => Reader,
  names: Names,
): Reader {
  let plan: Plan | undefined;

  const canonical = (changed: MutableJsonObject): MutableJsonObject =>
    read(changed, new DecodeContext()) as MutableJsonObject;

  const read: Read = (value, context) => {
    if (typeof value !== 'object' || Array.isArray(value) || isExactNumber(value)) {
      context.wrongType('an object', value);
      return undefined;
    }
    if (context.depth >= maxDepth) {
      context.tooDeep();
      return undefined;
    }
    plan ??= planOf(shape(), readerOf);
    context.depth++;
    const slots = readMembers(plan, value as MutableJsonObject, context);
    const appliesDefaults = context.defaults && !context.isMistyped;
    if (appliesDefaults && plan.hasDefaults) fillDefaults(plan, slots, context, names);
    let struct = plan.assemble(slots, context);
    if (plan.readRest !== undefined) {
      const rest = plan.readRest(restOf(plan, value as JsonObject), context);
      for (const name of Object.keys(rest)) setMember(struct, name, rest[name]);
    }
    if (appliesDefaults) {
      for (const derive of plan.derives) if (derive(struct, names)) struct = canonical(struct);
    }
    context.depth--;
    return struct;
  };
  return { read, zero: (context) => read({}, context) };
}
