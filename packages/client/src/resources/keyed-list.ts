/**
 * A list with one item for each value of its keys: an item of an applied configuration (`ApplyConfiguration`) needs them. `Keys` are those
 * without a default. It is an array, whose mark exists for the compiler only; a symbol would make the types of two copies of the
 * library differ.
 */
export type KeyedList<Item, Keys extends keyof Item> = Item[] & { readonly '~listKeys'?: Keys };

/** The keys of an item of a list of type `T`; nothing where items have none. */
export type ItemKeys<T, Item> = '~listKeys' extends keyof T
  ? { readonly [K in Extract<NonNullable<T['~listKeys']>, keyof Item>]-?: NonNullable<Item[K]> }
  : unknown;
