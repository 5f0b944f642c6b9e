import type { RuleWithOperations } from '@orch/kinds/admissionregistration';
import type { Operation, WriteTarget } from '../types.ts';
import type { GroupVersionResource, VersionedResource } from '../versioned-resource.ts';

/** A rule of a webhook or a policy (access-control document, 4.4). Policies may restrict it to objects with certain names. */
export type ResourceRule = RuleWithOperations & { readonly resourceNames?: readonly string[] };

export type MatchPolicy = 'Exact' | 'Equivalent';

/** The target of rules. `name` is undefined when it is not known yet: then rules with names may match. */
export type MatchTarget = Pick<WriteTarget, 'operation' | 'requested'> & { readonly name?: string };

/** The rules of a webhook or a policy, prepared for many requests. */
export class ResourceRules {
  readonly #rules: readonly CompiledRule[];
  readonly #isEquivalent: boolean;

  constructor(rules: readonly ResourceRule[], matchPolicy: MatchPolicy) {
    this.#rules = rules.map((rule) => new CompiledRule(rule));
    this.#isEquivalent = matchPolicy === 'Equivalent';
  }

  /** No request can match. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * The resource of a request in the version in which a rule selects it: that of the request, else with `Equivalent` the first
   * served one by order of rules. Undefined when no rule matches.
   */
  match({ operation, requested, name }: MatchTarget): VersionedResource | undefined {
    const matches = (rule: CompiledRule, resource: VersionedResource): boolean =>
      rule.matches(operation, resource) && rule.hasName(name);
    if (this.#rules.some((rule) => matches(rule, requested))) return requested;
    if (!this.#isEquivalent || this.#rules.length === 0) return undefined;
    const equivalents = requested.equivalents();
    for (const rule of this.#rules) {
      const found = equivalents.find((resource) => matches(rule, resource));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** A set of values, or all of them. */
type Matcher = (value: string) => boolean;

function matcherOf(values: readonly string[] = []): Matcher {
  if (values.includes('*')) return () => true;
  return (value) => values.includes(value);
}

class CompiledRule {
  readonly #operation: Matcher;
  readonly #group: Matcher;
  readonly #version: Matcher;
  readonly #resources: readonly ResourcePattern[];
  readonly #scope: string;
  readonly #names: ReadonlySet<string> | undefined;

  constructor({
    operations,
    apiGroups,
    apiVersions,
    resources = [],
    scope,
    resourceNames = [],
  }: ResourceRule) {
    this.#operation = matcherOf(operations);
    this.#group = matcherOf(apiGroups);
    this.#version = matcherOf(apiVersions);
    this.#resources = resources.map(patternOf);
    this.#scope = scope ?? '*';
    this.#names = resourceNames.length === 0 ? undefined : new Set(resourceNames);
  }

  matches(operation: Operation, { resource, subresource, namespaced }: VersionedResource): boolean {
    return (
      this.#operation(operation) &&
      this.#isResource(resource, subresource) &&
      this.#group(resource.group) &&
      this.#version(resource.version) &&
      (this.#scope === '*' || (this.#scope === 'Namespaced') === namespaced)
    );
  }

  hasName(name: string | undefined): boolean {
    return this.#names === undefined || name === undefined || this.#names.has(name);
  }

  #isResource({ resource }: GroupVersionResource, subresource: string): boolean {
    return this.#resources.some(
      (pattern) =>
        (pattern.resource === '*' || pattern.resource === resource) &&
        (pattern.subresource === '*' || pattern.subresource === subresource),
    );
  }
}

/** `pods`, `pods/log`, `pods/*` (pods and all their subresources), `*`, `*` with a subresource. */
interface ResourcePattern {
  readonly resource: string;
  readonly subresource: string;
}

function patternOf(text: string): ResourcePattern {
  const slash = text.indexOf('/');
  return slash === -1
    ? { resource: text, subresource: '' }
    : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
}
