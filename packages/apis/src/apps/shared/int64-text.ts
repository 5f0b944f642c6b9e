import { type ExactNumber, isInt64, jsonInteger } from '@orch/machinery';

const canonical = /^(?:0|-?[1-9]\d{0,18})$/;

/** The whole number of 64 bits that a text stands for; undefined when another text would be written for it. */
export function readInt64(text: string): number | ExactNumber | undefined {
  if (!canonical.test(text)) return undefined;
  const value = jsonInteger(BigInt(text));
  return isInt64(value) ? value : undefined;
}
