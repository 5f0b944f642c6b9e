import type { Random } from '../env.ts';

/** Random numbers that are the same for the same seed: for tests and simulations only. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: one 32-bit state, suitable for every seed.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const bytes = (count: number): Buffer => {
    const out = Buffer.alloc(count);
    for (let i = 0; i < count; i++) out[i] = next() >>> 24;
    return out;
  };
  return {
    bytes,
    uuid() {
      const b = bytes(16);
      b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
      b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
      const hex = b.toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
        '-',
      );
    },
    int: (below) => Math.floor((next() / 2 ** 32) * below),
  };
}
