import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Kept inputs of a target: those that reach code that no other one reaches, or that once broke a promise. */
export type InputSet = 'corpus' | 'crashes';

const fileOf = (set: InputSet, target: string): string => join(import.meta.dirname, set, `${target}.txt`);

/** The kept inputs, in the order of the file: one for each line, in base64. */
export function readInputs(set: InputSet, target: string): readonly Buffer[] {
  const file = fileOf(set, target);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'latin1').split('\n');
  return lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'));
}

/** Replaces the kept inputs: short ones first, each once. */
export function writeInputs(set: InputSet, target: string, inputs: readonly Buffer[]): void {
  const lines = [...new Set(inputs.map((input) => input.toString('base64')))].filter((line) => line !== '');
  lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const file = fileOf(set, target);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}
