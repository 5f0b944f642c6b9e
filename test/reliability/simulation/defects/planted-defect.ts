import type { Defect } from '../world/defect.ts';

/** A defect that the simulation must find. */
export interface PlantedDefect {
  readonly what: string;
  /** Makes the defect for one simulation: it may count. */
  make(): Defect;
}

/** True at every `n`th call. */
export const every = (n: number): (() => boolean) => {
  let calls = 0;
  return () => ++calls % n === 0;
};

/** Replaces a method of an object or a prototype. The result brings the earlier one back. */
export function replaceMethod<T extends object, K extends keyof T & string>(
  target: T,
  name: K,
  method: (original: T[K]) => T[K],
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value: method(target[name]), configurable: true, writable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}
