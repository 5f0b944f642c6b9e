/**
 * Tokens are signed and verified in threads of the runtime, in real time, while the simulation advances its clock. Their results wait
 * until the simulation asks for them, and arrive in the order of the calls: otherwise the load of the machine would decide what
 * happens first, and seeds would not repeat.
 */
interface Pending {
  readonly result: Promise<unknown>;
  /** Lets the caller have the result. */
  readonly deliver: () => void;
}

let pending: Pending[] = [];

for (const name of ['sign', 'verify', 'importKey', 'digest'] as const) {
  const { prototype } = SubtleCrypto;
  const original = prototype[name] as (...args: unknown[]) => Promise<unknown>;
  const held = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const result = original.apply(this, args);
    result.catch(() => undefined);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    pending.push({ result, deliver: () => resolve(result) });
    return promise;
  };
  Object.defineProperty(prototype, name, { value: held });
}

/** Delivers the results of all operations. Returns whether there was one. */
export async function cryptographyIsDone(): Promise<boolean> {
  if (pending.length === 0) return false;
  const all = pending;
  pending = [];
  await Promise.allSettled(all.map(({ result }) => result));
  for (const { deliver } of all) deliver();
  return true;
}
