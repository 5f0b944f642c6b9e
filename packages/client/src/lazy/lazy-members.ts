/** An object whose members are made when they are first read, each once. */
export function lazyMembers<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): Readonly<T> {
  const members = {};
  for (const [name, make] of Object.entries<() => unknown>(makers))
    Object.defineProperty(members, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = make();
        Object.defineProperty(members, name, { value, enumerable: true });
        return value;
      },
    });
  return members as Readonly<T>;
}
