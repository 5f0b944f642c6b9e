import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import type { ValueRules } from '../structural-schema.ts';

const compiled = new WeakMap<ValueRules, Pattern | string>();

/** The pattern of the rules, or what is wrong with it. Compiled once, for as long as the rules exist. */
export function valuePattern(pattern: string, rules: ValueRules): Pattern | string {
  let found = compiled.get(rules);
  if (found === undefined) {
    found = compilePattern(pattern);
    compiled.set(rules, found);
  }
  return found;
}
