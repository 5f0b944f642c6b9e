import type { Random } from '../env.ts';

/** Letters and digits that form no words and cannot be confused with each other. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const RANDOM_LENGTH = 5;
const MAX_BASE_LENGTH = 58;

/** A name made from `generateName`: at most 63 characters (facts: defaults, ObjectMeta). */
export function generatedName(base: string, random: Random): string {
  let name = base.slice(0, MAX_BASE_LENGTH);
  for (let i = 0; i < RANDOM_LENGTH; i++) name += NAME_ALPHABET[random.int(NAME_ALPHABET.length)];
  return name;
}
