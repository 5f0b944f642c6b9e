import { isExactNumber, isJsonObject, setMember } from '@orch/machinery';
import { type Field, resolveRef, type Schema, type StructSchema } from '@orch/schema';
import type { JsonObject } from './json-value.ts';
import { PatchError } from './patch-error.ts';
import { type Identity, inWantedOrder } from './strategic-order.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList/';
const ORDER = '$setElementOrder/';

export interface StrategicMergeOptions {
  /** Name of a member in the schema, from its name in the document; the same when absent. */
  readonly neutralField?: (served: string) => string;
}

/**
 * Strategic merge patch: a merge patch that knows the schema. Lists with patch strategy `merge` are merged, by the value
 * of their merge key or, for scalars, as sets; directives in the patch replace, delete and order (`$patch`,
 * `$retainKeys`, `$deleteFromPrimitiveList/…`, `$setElementOrder/…`). What the schema does not know is treated as in a
 * merge patch. Pure; recursion is as deep as the patch. Throws `PatchError`.
 */
export function applyStrategicMergePatch(
  document: unknown,
  patch: unknown,
  schema: StructSchema,
  options: StrategicMergeOptions = {},
): unknown {
  if (!isJsonObject(patch)) throw new PatchError('malformed', 'a strategic merge patch must be an object');
  return new Merge(options).object(isJsonObject(document) ? document : {}, patch, schema);
}

/** How the schema says that a member is patched. */
interface MemberRules {
  readonly schema: Schema | undefined;
  readonly strategies: readonly string[];
  readonly mergeKey: string;
}

const noRules: MemberRules = { schema: undefined, strategies: [], mergeKey: '' };

class Merge {
  readonly #neutral: (served: string) => string;
  readonly #fields = new Map<StructSchema, ReadonlyMap<string, Field>>();

  constructor({ neutralField = (name) => name }: StrategicMergeOptions) {
    this.#neutral = neutralField;
  }

  object(before: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
    const directive = ownMember(patch, DIRECTIVE);
    if (directive === 'delete') return {};
    if (directive === 'replace') return this.#replacement(patch, schema);
    if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive);
    const result = retained(before, patch);
    for (const name of Object.keys(patch)) {
      if (name.startsWith(DELETE_FROM))
        this.#deleteValues(result, name.slice(DELETE_FROM.length), patch[name]);
    }
    for (const name of Object.keys(patch)) {
      if (isDirective(name)) continue;
      const change = patch[name];
      if (change === null) delete result[name];
      else setMember(result, name, this.#member(ownMember(result, name), change, this.#rules(schema, name)));
    }
    for (const name of Object.keys(patch)) {
      if (name.startsWith(ORDER)) this.#order(result, before, name.slice(ORDER.length), patch[name], schema);
    }
    return result;
  }

  #replacement(patch: JsonObject, schema: Schema | undefined): JsonObject {
    const { [DIRECTIVE]: _directive, ...rest } = patch;
    return this.object({}, rest, schema);
  }

  #member(before: unknown, change: unknown, rules: MemberRules): unknown {
    if (isJsonObject(change)) {
      const replaces = rules.strategies.includes('replace');
      return this.object(!replaces && isJsonObject(before) ? before : {}, change, rules.schema);
    }
    if (!Array.isArray(change)) return change;
    if (!rules.strategies.includes('merge')) return change;
    return this.#list(Array.isArray(before) ? before : [], change, rules);
  }

  #list(before: readonly unknown[], changes: readonly unknown[], rules: MemberRules): unknown[] {
    const ofObjects = [...before, ...changes].some(isJsonObject);
    if (!ofObjects) {
      const merged = [...new Set([...before, ...changes])];
      return inWantedOrder(merged, changes, before, (item) => item);
    }
    const { mergeKey } = rules;
    if (mergeKey === '') throw new PatchError('failed', 'a list without a merge key cannot be merged');
    const identity = identityBy(mergeKey);
    const { kept, rest } = applyListDirectives(before, changes, mergeKey);
    const items = rules.schema?.kind === 'list' ? resolveRef(rules.schema.items) : undefined;
    const merged = [...kept];
    const places = new Map(merged.map((item, i) => [identity(item), i]));
    for (const change of rest) {
      const at = places.get(identity(change));
      const before = at === undefined ? undefined : merged[at];
      const item = this.object(isJsonObject(before) ? before : {}, change, items);
      places.set(identity(change), at ?? merged.length);
      merged[at ?? merged.length] = item;
    }
    return inWantedOrder(merged, rest, kept, identity);
  }

  #deleteValues(result: JsonObject, name: string, values: unknown): void {
    if (!Array.isArray(values)) throw new PatchError('malformed', `${DELETE_FROM}${name} must be a list`);
    const list = ownMember(result, name);
    const deleted = new Set<unknown>(values);
    if (Array.isArray(list))
      setMember(
        result,
        name,
        list.filter((item) => !deleted.has(item)),
      );
  }

  #order(
    result: JsonObject,
    before: JsonObject,
    name: string,
    wanted: unknown,
    schema: Schema | undefined,
  ): void {
    if (!Array.isArray(wanted)) throw new PatchError('malformed', `${ORDER}${name} must be a list`);
    const list = ownMember(result, name);
    if (!Array.isArray(list)) return;
    const { mergeKey } = this.#rules(schema, name);
    const identity = wanted.some(isJsonObject) ? identityBy(mergeKey) : (item: unknown) => item;
    const old = ownMember(before, name);
    setMember(result, name, inWantedOrder(list, wanted, Array.isArray(old) ? old : [], identity));
  }

  #rules(schema: Schema | undefined, name: string): MemberRules {
    if (schema?.kind === 'map') return { ...noRules, schema: resolveRef(schema.values) };
    if (schema?.kind !== 'struct') return noRules;
    const field = this.#fieldsOf(schema).get(this.#neutral(name));
    if (field === undefined) return noRules;
    return {
      schema: resolveRef(field.schema),
      strategies: (field.patchStrategy ?? '').split(','),
      mergeKey: field.patchMergeKey ?? '',
    };
  }

  /** Members of a struct by name, those of its inline structs included. */
  #fieldsOf(schema: StructSchema): ReadonlyMap<string, Field> {
    let fields = this.#fields.get(schema);
    if (fields === undefined) {
      fields = new Map(schema.fields.flatMap((field) => this.#entriesOf(field)));
      this.#fields.set(schema, fields);
    }
    return fields;
  }

  #entriesOf(field: Field): readonly (readonly [string, Field])[] {
    if (field.inline !== true) return [[field.name, field]];
    const inner = resolveRef(field.schema);
    return inner.kind === 'struct' ? [...this.#fieldsOf(inner)] : [];
  }
}

const isDirective = (name: string): boolean =>
  name === DIRECTIVE || name === RETAIN_KEYS || name.startsWith(DELETE_FROM) || name.startsWith(ORDER);

const ownMember = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const unknownDirective = (directive: unknown): PatchError =>
  new PatchError(
    'malformed',
    `${DIRECTIVE} must be replace, merge or delete, not ${JSON.stringify(directive)}`,
  );

/** A copy of the object, with nothing but the members that `$retainKeys` names when the patch has it. */
function retained(before: JsonObject, patch: JsonObject): JsonObject {
  const keys = ownMember(patch, RETAIN_KEYS);
  if (keys === undefined) return { ...before };
  if (!Array.isArray(keys)) throw new PatchError('malformed', `${RETAIN_KEYS} must be a list`);
  const named = new Set<unknown>(keys);
  const missing = Object.keys(patch).find(
    (name) => !isDirective(name) && patch[name] !== null && !named.has(name),
  );
  if (missing !== undefined) {
    throw new PatchError(
      'malformed',
      `${RETAIN_KEYS} must name every member of the patch: ${JSON.stringify(missing)} is missing`,
    );
  }
  return Object.fromEntries(Object.entries(before).filter(([name]) => named.has(name)));
}

/** Exact numbers are told apart by their digits. */
const identityBy =
  (mergeKey: string): Identity =>
  (item) => {
    const id = isJsonObject(item) ? ownMember(item, mergeKey) : undefined;
    return isExactNumber(id) ? id.rawJSON : id;
  };

/** Carries out `$patch` of list items: what is left of the list, and the items that are merged into it. */
function applyListDirectives(
  before: readonly unknown[],
  changes: readonly unknown[],
  mergeKey: string,
): { readonly kept: readonly unknown[]; readonly rest: readonly JsonObject[] } {
  const identity = identityBy(mergeKey);
  const rest: JsonObject[] = [];
  const deleted = new Set<unknown>();
  let replaced = false;
  for (const change of changes) {
    if (!isJsonObject(change)) throw new PatchError('failed', 'an item of a list of objects is no object');
    const directive = ownMember(change, DIRECTIVE);
    if (directive === 'replace') {
      replaced = true;
      // The directive may stand alone, or in an item that is to be kept.
      const { [DIRECTIVE]: _directive, ...item } = change;
      if (Object.keys(item).length > 0) rest.push(item);
      continue;
    }
    const id = identity(change);
    if (id === undefined) {
      throw new PatchError(
        'failed',
        `an item of the patch has no ${JSON.stringify(mergeKey)}, by which its list is merged`,
      );
    }
    if (directive === 'delete') deleted.add(id);
    else rest.push(change);
  }
  const kept = before.filter((item) => !replaced && !(isJsonObject(item) && deleted.has(identity(item))));
  return { kept, rest };
}
