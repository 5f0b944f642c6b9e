/**
 * An object, including everything in it, for code that owns it and may change it. Lists are replaced rather than
 * changed: they may be shared with the stored object.
 */
export type Draft<T> = T extends unknown[]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Draft<T[K]> }
      : T;
