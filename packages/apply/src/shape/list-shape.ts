import { type Field, type ListSchema, resolveRef } from '@orch/schema';
import { isScalar } from '../values/scalar.ts';
import { compareText } from '../values/text-order.ts';
import type { ListKey, ListShape, Shape } from './shape.ts';
import type { StructContext } from './struct-shape.ts';

/** How the items of a list are identified, with the names of their keys. */
export interface ListIdentity {
  readonly identity: ListShape['identity'];
  readonly keys: readonly string[];
}

const atomic: ListIdentity = { identity: 'none', keys: [] };

const mergesItems = (strategy: string | undefined): boolean =>
  (strategy ?? '').split(',').some((part) => part.trim() === 'merge');

/**
 * The identification of items of a list (spec 4.9 rule 7): by the list type; without one, a list that strategic patches
 * merge is a `map` by its merge key, or a `set` when it has none; every other list is atomic.
 */
export function listIdentity(schema: ListSchema, field: Field | undefined): ListIdentity {
  switch (schema.listType) {
    case 'atomic':
      return atomic;
    case 'set':
      return { identity: 'value', keys: [] };
    case 'map':
      return { identity: 'keys', keys: schema.mapKeys ?? [] };
  }
  if (!mergesItems(field?.patchStrategy ?? schema.patchStrategy)) return atomic;
  const key = field?.patchMergeKey ?? schema.patchMergeKey;
  return key === undefined ? { identity: 'value', keys: [] } : { identity: 'keys', keys: [key] };
}

class LazyList implements ListShape {
  readonly kind = 'list';
  readonly identity: ListShape['identity'];
  readonly #keyNames: readonly string[];
  readonly #items: () => Shape;
  #shape: Shape | undefined;
  #keys: readonly ListKey[] | undefined;

  constructor(identity: ListIdentity, keyNames: readonly string[], items: () => Shape) {
    this.identity = identity.identity;
    this.#keyNames = keyNames;
    this.#items = items;
  }

  get items(): Shape {
    this.#shape ??= this.#items();
    return this.#shape;
  }

  get keys(): readonly ListKey[] {
    this.#keys ??= this.#keyNames.map((name) => ({
      name,
      label: `${JSON.stringify(name)}:`,
      absent: absentKey(this.items, name),
    }));
    return this.#keys;
  }
}

function absentKey(items: Shape, name: string): unknown {
  const value = items.kind === 'struct' ? items.fields.get(name)?.fixedDefault : undefined;
  return isScalar(value) ? value : undefined;
}

/** The shape of a list; `field` is the field that holds it, which may carry merge markers too. */
export function listShape(schema: ListSchema, field: Field | undefined, context: StructContext): ListShape {
  const items = resolveRef(schema.items);
  const found = listIdentity(schema, field);
  // Only scalars can be identified by value, and only structs and free objects have keys.
  const usable =
    (found.identity === 'value' && items.kind === 'scalar') ||
    (found.identity === 'keys' && found.keys.length > 0 && items.kind !== 'list');
  const keyNames = found.keys.map((name) => context.names.field(name)).sort(compareText);
  return new LazyList(usable ? found : atomic, keyNames, () => context.shapeOf(items));
}
