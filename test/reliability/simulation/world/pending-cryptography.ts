/**
 * Tokens are signed and verified in threads of the runtime, in real time, while the simulation advances its clock. Without a wait
 * for them, a loaded machine would let minutes of the simulated time pass during one signature, and seeds would not repeat.
 */
const pending = new Set<Promise<unknown>>();

for (const name of ['sign', 'verify', 'importKey', 'digest'] as const) {
  const { prototype } = SubtleCrypto;
  const original = prototype[name] as (...args: unknown[]) => Promise<unknown>;
  const counted = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const result = original.apply(this, args);
    pending.add(result);
    const settled = (): void => void pending.delete(result);
    result.then(settled, settled);
    return result;
  };
  Object.defineProperty(prototype, name, { value: counted });
}

/** Resolves once no operation is pending. Returns whether there was one. */
export async function cryptographyIsDone(): Promise<boolean> {
  if (pending.size === 0) return false;
  while (pending.size > 0) await Promise.allSettled(pending);
  return true;
}
