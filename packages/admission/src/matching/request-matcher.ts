import type { ObjectSource } from '@orch/auth';
import type { AdmissionAttributes, WriteTarget } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { isExempt } from './exempt.ts';
import { type MatchPolicy, type ResourceRule, ResourceRules } from './resource-rules.ts';
import { compileSelectors, isSelected, type SelectorObjects, type Selectors } from './selectors.ts';

/** The requests that a webhook, a policy or a binding applies to, with the defaults of its kind. */
export interface MatchDefinition extends SelectorObjects {
  /** Matches every resource when absent. */
  readonly rules: readonly ResourceRule[] | undefined;
  /** Requests that match one of these are excluded. */
  readonly excludeRules?: readonly ResourceRule[] | undefined;
  readonly matchPolicy: MatchPolicy;
}

/** Selects the requests that a webhook, a policy or a binding receives, and their version. */
export class RequestMatcher {
  readonly #rules: ResourceRules | undefined;
  readonly #excluded: ResourceRules;
  readonly #selectors: Selectors;

  /** Throws `SelectorError` for selectors that validation should have refused. */
  constructor({ rules, excludeRules = [], matchPolicy, ...selectors }: MatchDefinition) {
    this.#rules = rules === undefined ? undefined : new ResourceRules(rules, matchPolicy);
    this.#excluded = new ResourceRules(excludeRules, matchPolicy);
    this.#selectors = compileSelectors(selectors);
  }

  /** Reports whether a request may match, before any object is read. */
  handles(target: Pick<WriteTarget, 'operation' | 'requested' | 'group' | 'resource'>): boolean {
    if (isExempt(target)) return false;
    const { operation, requested } = target;
    return this.#rules === undefined || this.#rules.match({ operation, requested }) !== undefined;
  }

  /**
   * The version in which the objects of a write are sent; undefined when it does not match. Rejects with 404 when its
   * namespace does not exist.
   */
  match(
    source: Pick<ObjectSource, 'get' | 'fresh'>,
    write: AdmissionAttributes,
  ): VersionedResource | undefined | Promise<VersionedResource | undefined> {
    if (isExempt(write)) return undefined;
    const { operation, requested, name } = write;
    const target = { operation, requested, name };
    if (!this.#excluded.isEmpty && this.#excluded.match(target) !== undefined) return undefined;
    const version = this.#rules === undefined ? requested : this.#rules.match(target);
    if (version === undefined) return undefined;
    const selected = isSelected(source, this.#selectors, write);
    if (selected instanceof Promise) return selected.then((is) => (is ? version : undefined));
    return selected ? version : undefined;
  }
}
