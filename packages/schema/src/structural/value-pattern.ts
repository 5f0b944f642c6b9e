import { BoundedCache } from '@orch/machinery/bounded-cache';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import type { ValueRules } from '../structural-schema.ts';

interface Compiled {
  readonly pattern: Pattern | string;
}

/** Patterns of different strings that are found again while rules use them. */
const MAX_TEXTS = 1024;

const ofRules = new WeakMap<ValueRules, Compiled>();
const ofTexts = new BoundedCache<string, WeakRef<Compiled>>({ maxEntries: MAX_TEXTS });

/** The pattern of the rules, or its error. Compiled once, for as long as rules with it exist. */
export function valuePattern(pattern: string, rules: ValueRules): Pattern | string {
  let found = ofRules.get(rules);
  if (found === undefined) {
    found = ofTexts.get(pattern)?.deref() ?? compiled(pattern);
    ofRules.set(rules, found);
  }
  return found.pattern;
}

/** Definitions repeat their patterns: a large one takes milliseconds and memory for each field without this. */
function compiled(text: string): Compiled {
  const made: Compiled = { pattern: compilePattern(text) };
  ofTexts.set(text, new WeakRef(made));
  return made;
}
