import type { PathAttributes, ResourceAttributes } from '../types.ts';
import { ALL, allWords, type PolicyRule, pathMatches } from './policy-rule.ts';

/** A rule in a format for fast matching. */
export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  /** Undefined for all. */
  readonly names: ReadonlySet<string> | undefined;
  readonly paths: readonly string[];
}

export const compileRule = (rule: PolicyRule): CompiledRule => ({
  rule,
  verbs: new Set(rule.verbs),
  groups: new Set(rule.apiGroups),
  resources: new Set(rule.resources),
  names: rule.resourceNames.length === 0 ? undefined : new Set(rule.resourceNames),
  paths: rule.nonResourceURLs,
});

/** The rules of a role by their subject, so that a request is matched only with those that may apply. */
export interface RuleIndex {
  readonly byWord: ReadonlyMap<string, readonly CompiledRule[]>;
  /** About all resources and subresources. */
  readonly all: readonly CompiledRule[];
  /** Whether any is about `pods/*` or the like. */
  readonly hasPatterns: boolean;
  readonly onPaths: readonly CompiledRule[];
}

export function indexRules(rules: readonly CompiledRule[]): RuleIndex {
  const byWord = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    for (const word of rule.resources) {
      const there = byWord.get(word);
      if (there === undefined) byWord.set(word, [rule]);
      else there.push(rule);
    }
  }
  return {
    byWord,
    all: rules.filter(({ resources }) => allWords.some((word) => resources.has(word))),
    hasPatterns: [...byWord.keys()].some((word) => word.includes('/*') || word.startsWith('*/')),
    onPaths: rules.filter(({ paths }) => paths.length > 0),
  };
}

const none: readonly CompiledRule[] = [];

/** A question about resources, without the name of an object. */
export interface ResourceQuestion {
  readonly verb: string;
  readonly group: string;
  /** `pods`, `pods/log`. */
  readonly word: string;
  /** Patterns that take in a subresource; none for a resource. */
  readonly patterns: readonly string[];
}

export const resourceQuestion = (attributes: {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}): ResourceQuestion => {
  const { verb, group, resource, subresource } = attributes;
  return subresource === ''
    ? { verb, group, word: resource, patterns: [] }
    : { verb, group, word: `${resource}/${subresource}`, patterns: [`${resource}/*`, `*/${subresource}`] };
};

/** The rules of a role that allow it, for the names that each of them is about. `take` returns false to end. */
export function eachAllowing(
  index: RuleIndex,
  question: ResourceQuestion,
  take: (rule: CompiledRule) => boolean,
): boolean {
  const { word, patterns } = question;
  const exact = index.byWord.get(word);
  if (exact !== undefined && !takeFrom(exact, question, take)) return false;
  if (index.all.length > 0 && !takeFrom(index.all, question, take)) return false;
  if (!index.hasPatterns) return true;
  return patterns.every((pattern) => takeFrom(index.byWord.get(pattern) ?? none, question, take));
}

function takeFrom(
  rules: readonly CompiledRule[],
  { verb, group }: ResourceQuestion,
  take: (rule: CompiledRule) => boolean,
): boolean {
  for (const rule of rules) {
    if (!hasVerb(rule, verb) || !(rule.groups.has(group) || rule.groups.has(ALL))) continue;
    if (!take(rule)) return false;
  }
  return true;
}

const hasVerb = ({ verbs }: CompiledRule, verb: string): boolean => verbs.has(verb) || verbs.has(ALL);

export function matchesPath(rule: CompiledRule, verb: string, path: string): boolean {
  if (rule.paths.length === 0 || !hasVerb(rule, verb)) return false;
  for (const word of rule.paths) if (pathMatches(word, path)) return true;
  return false;
}

/** A request without its user. */
export type Operation = Omit<ResourceAttributes, 'user' | 'version'> | Omit<PathAttributes, 'user'>;

/** Reports whether a rule alone allows an operation. */
export function allows(rule: CompiledRule, operation: Operation): boolean {
  if (!operation.isResource) return matchesPath(rule, operation.verb, operation.path);
  let isAllowed = false;
  eachAllowing(indexRules([rule]), resourceQuestion(operation), ({ names }) => {
    isAllowed ||= names === undefined || names.has(operation.name);
    return true;
  });
  return isAllowed;
}
