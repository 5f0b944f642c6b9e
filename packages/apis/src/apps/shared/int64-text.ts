import { type ExactNumber, isInt64, jsonInteger } from '@orch/machinery/json';

const canonical = /^(?:0|-?[1-9]\d{0,18})$/;

/** The 64-bit integer that a string encodes; undefined when it is not the canonical encoding. */
export function readInt64(text: string): number | ExactNumber | undefined {
  if (!canonical.test(text)) return undefined;
  const value = jsonInteger(BigInt(text));
  return isInt64(value) ? value : undefined;
}
