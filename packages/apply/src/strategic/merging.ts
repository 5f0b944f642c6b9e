import { Pace, type Work } from '@orch/machinery/concurrency';
import {
  copyFieldsInPieces,
  hasManyParts,
  isExactNumber,
  isJsonObject,
  type MutableJsonObject,
  setField,
} from '@orch/machinery/json';
import { resolveRef, type Schema } from '@orch/schema';
import { applyMergePatchInPieces } from '../merge-patch.ts';
import { PatchError } from '../patch-error.ts';
import {
  deletePrefix,
  isDirective,
  listOf,
  modeOf,
  orderPrefix,
  patchDirective,
  retainKeysDirective,
  withoutDirectives,
} from './directives.ts';
import { type Identity, inElementOrder } from './element-order.ts';
import type { FieldRules, MergeRules, StructRules } from './merge-rules.ts';

const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const noRules: StructRules = new Map();

/** A scalar's identity: exact numbers are objects to the engine, so they are compared by their text. */
const scalarIdentity: Identity = (item) => (isExactNumber(item) ? item.rawJSON : item);

/** Merges one patch into one document, in pieces. */
export class Merging {
  readonly #rules: MergeRules;
  readonly #isLarge: boolean;
  readonly #pace = new Pace();

  /** `isLarge`: the document or the patch may be so large that the copy of an object is divided. */
  constructor(rules: MergeRules, isLarge: boolean) {
    this.#rules = rules;
    this.#isLarge = isLarge;
  }

  #fieldsOf(schema: Schema | undefined): StructRules {
    return schema?.kind === 'struct' ? this.#rules.of(schema) : noRules;
  }

  *object(
    live: MutableJsonObject,
    patch: MutableJsonObject,
    schema: Schema | undefined,
    path: string,
  ): Work<MutableJsonObject> {
    const mode = modeOf(patch, path);
    if (mode === 'delete') return {};
    if (mode === 'replace') return (yield* withoutDirectives(patch, this.#pace)) as MutableJsonObject;
    const rules = this.#fieldsOf(schema);
    const isDivided = this.#isLarge && hasManyParts(live);
    const result: MutableJsonObject = isDivided ? yield* copyFieldsInPieces(live) : { ...live };
    retainOnly(result, patch, path);
    for (const name of Object.keys(patch)) {
      if (this.#pace.isDue()) yield;
      if (name.startsWith(deletePrefix))
        deleteScalars(result, name.slice(deletePrefix.length), listOf(patch, name, path) ?? []);
      if (isDirective(name)) continue;
      const change = patch[name];
      if (change === null) delete result[name];
      else if (typeof change !== 'object') setField(result, name, change);
      else {
        const before = Object.hasOwn(result, name) ? result[name] : undefined;
        const order = listOf(patch, orderPrefix + name, path);
        const at = { schema, rules: rules.get(name), order, path: child(path, name) };
        setField(result, name, yield* this.#field(before, change, at));
      }
    }
    yield* this.#orderOnly(result, patch, { rules, path });
    return result;
  }

  *#field(
    before: unknown,
    change: unknown,
    at: {
      schema: Schema | undefined;
      rules: FieldRules | undefined;
      order: readonly unknown[] | undefined;
      path: string;
    },
  ): Work<unknown> {
    const { rules, order, path } = at;
    const schema = rules?.schema ?? (at.schema?.kind === 'map' ? resolveRef(at.schema.values) : undefined);
    if (isJsonObject(change)) {
      if (rules?.replaceWhole === true) return yield* withoutDirectives(change, this.#pace);
      // Another object may hold directives as its content, as the data of a controller revision do.
      if (schema?.kind === 'scalar') return yield* applyMergePatchInPieces(before, change);
      return yield* this.object(isJsonObject(before) ? before : {}, change, schema, path);
    }
    if (!Array.isArray(change)) return change;
    if (rules?.mergeItems !== true) return change;
    return yield* this.#list(Array.isArray(before) ? before : [], change, { rules, order, path });
  }

  *#list(
    live: readonly unknown[],
    changes: readonly unknown[],
    at: { rules: FieldRules; order: readonly unknown[] | undefined; path: string },
  ): Work<unknown[]> {
    const { rules, order, path } = at;
    if (changes.every((item) => !isJsonObject(item))) {
      const merged = [...new Map([...live, ...changes].map((item) => [scalarIdentity(item), item])).values()];
      return yield* this.#ordered(merged, live, { order: order ?? changes, identity: scalarIdentity });
    }
    const key = rules.mergeKey;
    if (key === undefined)
      throw new PatchError('failed', `${path}: the list has no merge key; use a merge or JSON patch`);
    const identity = keyIdentity(key);
    if (
      changes.some(
        (item) => isJsonObject(item) && item[patchDirective] === 'replace' && !Object.hasOwn(item, key),
      )
    ) {
      return (yield* withoutDirectives(changes, this.#pace)) as unknown[];
    }
    const merged = yield* this.#items(live, changes, { key, rules, path });
    // Without $setElementOrder, the items of the patch have the order of the patch.
    return yield* this.#ordered(merged, live, { order: order ?? changes, identity });
  }

  *#ordered(
    merged: readonly unknown[],
    live: readonly unknown[],
    { order, identity }: { order: readonly unknown[]; identity: Identity },
  ): Work<unknown[]> {
    yield;
    return yield* inElementOrder({ merged, order: order.map(identity), live, identity }, this.#pace);
  }

  *#items(
    live: readonly unknown[],
    changes: readonly unknown[],
    at: { key: string; rules: FieldRules; path: string },
  ): Work<unknown[]> {
    const { key, rules, path } = at;
    const identity = keyIdentity(key);
    const items = rules.schema.kind === 'list' ? resolveRef(rules.schema.items) : undefined;
    const merged: (unknown | undefined)[] = [...live];
    const { places, repeated } = placesOf(merged, identity);
    yield;
    for (const [index, change] of changes.entries()) {
      if (this.#pace.isDue()) yield;
      const where = `${path}[${index}]`;
      if (!isJsonObject(change) || !Object.hasOwn(change, key)) {
        throw new PatchError(
          'failed',
          `${where}: must be an object with the merge key ${JSON.stringify(key)}`,
        );
      }
      const wanted = identity(change);
      const place = places.get(wanted);
      if (modeOf(change, where) === 'delete') {
        if (place !== undefined) merged[place] = undefined;
        for (const other of repeated.get(wanted) ?? []) merged[other] = undefined;
        continue;
      }
      const before = place === undefined ? undefined : merged[place];
      places.set(wanted, place ?? merged.length);
      const item = yield* this.object(isJsonObject(before) ? before : {}, change, items, where);
      merged[place ?? merged.length] = item;
    }
    return merged.filter((item) => item !== undefined);
  }

  /** `$setElementOrder` of a list that the patch does not change otherwise. */
  *#orderOnly(
    result: MutableJsonObject,
    patch: MutableJsonObject,
    { rules, path }: { rules: StructRules; path: string },
  ): Work<void> {
    for (const directive of Object.keys(patch)) {
      if (!directive.startsWith(orderPrefix)) continue;
      const name = directive.slice(orderPrefix.length);
      const live = Object.hasOwn(result, name) ? result[name] : undefined;
      if (Object.hasOwn(patch, name) || !Array.isArray(live)) continue;
      const key = rules.get(name)?.mergeKey;
      const identity = key === undefined ? scalarIdentity : keyIdentity(key);
      const order = listOf(patch, directive, path) ?? [];
      setField(result, name, yield* this.#ordered(live, live, { order, identity }));
    }
  }
}

interface Places {
  /** The first place of each identity. */
  readonly places: Map<unknown, number>;
  /** The other places of an identity that occurs more than once, such as a port number with two protocols. */
  readonly repeated: ReadonlyMap<unknown, readonly number[]>;
}

/** The places of items by their identity: a patch may name thousands of items of a list of thousands. */
function placesOf(items: readonly unknown[], identity: Identity): Places {
  const places = new Map<unknown, number>();
  const repeated = new Map<unknown, number[]>();
  for (const [i, item] of items.entries()) {
    const wanted = identity(item);
    const others = repeated.get(wanted);
    if (!places.has(wanted)) places.set(wanted, i);
    else if (others === undefined) repeated.set(wanted, [i]);
    else others.push(i);
  }
  return { places, repeated };
}

/** Identity by merge key; items without it, and scalars, are their own identity. */
function keyIdentity(key: string): Identity {
  return (item) =>
    isJsonObject(item) ? (Object.hasOwn(item, key) ? scalarIdentity(item[key]) : item) : scalarIdentity(item);
}

/** `$retainKeys`: fields it does not list are dropped before the merge; the patch may only set those it lists. */
function retainOnly(result: MutableJsonObject, patch: MutableJsonObject, path: string): void {
  const retain = listOf(patch, retainKeysDirective, path);
  if (retain === undefined) return;
  const kept = new Set(retain);
  for (const name of Object.keys(patch)) {
    if (!isDirective(name) && patch[name] !== null && !kept.has(name)) {
      throw new PatchError(
        'failed',
        `${child(path, name)}: is set by the patch but not listed in ${retainKeysDirective}`,
      );
    }
  }
  for (const name of Object.keys(result)) if (!kept.has(name)) delete result[name];
}

function deleteScalars(result: MutableJsonObject, name: string, doomed: readonly unknown[]): void {
  const live = Object.hasOwn(result, name) ? result[name] : undefined;
  if (!Array.isArray(live)) return;
  const gone = new Set(doomed.map(scalarIdentity));
  setField(
    result,
    name,
    live.filter((item) => !gone.has(scalarIdentity(item))),
  );
}
