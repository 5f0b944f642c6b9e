import type { CompiledRule } from './compiled-rule.ts';
import { ALL, type PolicyRule, pathMatches, resourceWords } from './policy-rule.ts';

/** Comparisons of rules made before a role counts as too large to be checked. */
const MAX_STEPS = 1_000_000;

/** The rules that are not covered; `tooLarge` when the rules were not examined to their end. */
export interface UncoveredRules {
  readonly missing: readonly PolicyRule[];
  readonly tooLarge: boolean;
}

/**
 * Finds what `wanted` allows and `held` does not: whole rules, and for rules that are held in part the missing
 * permissions, grouped by verb again. Bounded, because a rule of a few kilobytes can grant more permissions than could
 * be compared.
 */
export function uncoveredRules(wanted: readonly PolicyRule[], held: readonly CompiledRule[]): UncoveredRules {
  const missing = new Map<string, Missing>();
  let steps = 0;
  for (const rule of wanted) {
    steps += 1 + held.length;
    // Most rules are held unchanged.
    if (held.some((one) => coversWhole(one, rule))) continue;
    let coveredInPart = false;
    const singles: PolicyRule[] = [];
    for (const single of singlePermissions(rule)) {
      steps += 1 + held.length;
      if (steps > MAX_STEPS) return { missing: [...collected(missing), rule], tooLarge: true };
      if (held.some((one) => coversSingle(one, single))) coveredInPart = true;
      else singles.push(single);
    }
    for (const one of coveredInPart ? singles : [rule]) add(missing, one);
  }
  return { missing: [...collected(missing)], tooLarge: steps > MAX_STEPS };
}

interface Missing {
  readonly rule: PolicyRule;
  readonly verbs: Set<string>;
}

function add(missing: Map<string, Missing>, rule: PolicyRule): void {
  const { verbs, ...what } = rule;
  const key = JSON.stringify(what);
  const known = missing.get(key);
  if (known === undefined) missing.set(key, { rule, verbs: new Set(verbs) });
  else for (const verb of verbs) known.verbs.add(verb);
}

function* collected(missing: ReadonlyMap<string, Missing>): Generator<PolicyRule> {
  for (const { rule, verbs } of missing.values()) yield { ...rule, verbs: [...verbs] };
}

/** Rules with one verb, one group, one resource and at most one name each, or one verb and one path. */
function* singlePermissions(rule: PolicyRule): Generator<PolicyRule> {
  const { resourceNames, nonResourceURLs } = rule;
  const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  for (const verb of rule.verbs) {
    for (const path of nonResourceURLs) yield { ...none, verbs: [verb], nonResourceURLs: [path] };
    for (const group of rule.apiGroups)
      for (const resource of rule.resources)
        for (const resourceNames of names)
          yield { ...none, verbs: [verb], apiGroups: [group], resources: [resource], resourceNames };
  }
}

/** `*` covers every word; any other word covers itself. */
const hold = (held: ReadonlySet<string>, wanted: readonly string[]): boolean =>
  held.has(ALL) || wanted.every((word) => held.has(word));

/** Every name is covered by a rule without names; a rule for all names by no rule with names. */
const holdNames = (held: ReadonlySet<string> | undefined, wanted: readonly string[]): boolean =>
  held === undefined || (wanted.length > 0 && wanted.every((name) => held.has(name)));

function coversWhole(held: CompiledRule, wanted: PolicyRule): boolean {
  if (!hold(held.verbs, wanted.verbs)) return false;
  const { nonResourceURLs, resources } = wanted;
  const onPaths = nonResourceURLs.every((path) => coversPath(held, path));
  if (resources.length === 0) return onPaths;
  return (
    onPaths &&
    hold(held.groups, wanted.apiGroups) &&
    holdNames(held.names, wanted.resourceNames) &&
    resources.every((resource) => coversResource(held, resource))
  );
}

function coversSingle(held: CompiledRule, single: PolicyRule): boolean {
  const [verb = ''] = single.verbs;
  const [path] = single.nonResourceURLs;
  if (path !== undefined) return hold(held.verbs, [verb]) && coversPath(held, path);
  return coversWhole(held, single);
}

/** An entry of `resources` may be a wildcard: it is checked like a resource of that name. */
function coversResource(held: CompiledRule, word: string): boolean {
  const slash = word.indexOf('/');
  const words =
    slash < 0 ? resourceWords(word, '') : resourceWords(word.slice(0, slash), word.slice(slash + 1));
  return words.some((one) => held.resources.has(one));
}

/** So does a path that ends with `*`. */
const coversPath = ({ paths }: CompiledRule, path: string): boolean =>
  paths.some((word) => pathMatches(word, path));
