/**
 * A list with one item for each value of its keys: an item of an applied configuration (`ApplyConfiguration`) needs them. `Keys` are those
 * without a default. It is an array, whose mark exists for the compiler only.
 */
export type KeyedList<Item, Keys extends keyof Item> = Item[] & { readonly [listKeys]?: Keys };

declare const listKeys: unique symbol;

/** The keys of an item of a list of type `T`; nothing where items have none. */
export type ItemKeys<T, Item> = typeof listKeys extends keyof T
  ? { readonly [K in Extract<NonNullable<T[typeof listKeys]>, keyof Item>]-?: NonNullable<Item[K]> }
  : unknown;
