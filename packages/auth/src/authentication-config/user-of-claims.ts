import { CONDITIONS_COST_LIMIT, CostBudget, EvaluationError, toJson } from '@orch/cel';
import type { JsonObject } from '@orch/machinery/json';
import { idTokenExtra } from '../credential-ids.ts';
import type { UserInfo } from '../types.ts';
import type { ClaimRules, Expression, MappedClaim, MappedGroups, RequiredClaim } from './configuration.ts';

/** The claims do not make a user; the message is the reason. */
class RefusedClaims extends Error {}

/**
 * The user of the claims of a verified token, or why there is none. The id of the token (`jti`) is an extra value of the user under
 * `credentialIdKey`, if that is given.
 */
export function userOfClaims(
  claims: JsonObject,
  rules: ClaimRules,
  credentialIdKey?: string,
): UserInfo | string {
  try {
    return new ClaimEvaluation(claims).user(rules, credentialIdKey);
  } catch (error) {
    if (error instanceof RefusedClaims) return error.message;
    throw error;
  }
}

/** Evaluates the expressions for one token, whose cost is limited together. Methods throw `RefusedClaims`. */
class ClaimEvaluation {
  readonly #claims: JsonObject;
  readonly #budget = new CostBudget(CONDITIONS_COST_LIMIT);

  constructor(claims: JsonObject) {
    this.#claims = claims;
  }

  user(rules: ClaimRules, credentialIdKey: string | undefined): UserInfo {
    for (const rule of rules.required) this.#checkClaim(rule);
    const user: UserInfo = {
      name: this.#username(rules.username),
      uid: this.#uid(rules.uid),
      groups: [...new Set(this.#groups(rules.groups))],
      extra: { ...idTokenExtra(this.#claim('jti'), credentialIdKey), ...this.#extra(rules.extra) },
    };
    const { name: username, uid, groups, extra } = user;
    for (const rule of rules.user) this.#checkCondition(rule, { user: { username, uid, groups, extra } });
    return user;
  }

  #checkClaim(rule: RequiredClaim | Expression): void {
    if ('program' in rule) this.#checkCondition(rule, { claims: this.#claims });
    else if (this.#claim(rule.claim) !== rule.value)
      throw new RefusedClaims(`claim ${JSON.stringify(rule.claim)} does not have the required value`);
  }

  #checkCondition(rule: Expression, variables: Readonly<Record<string, unknown>>): void {
    if (this.#value(rule, variables) === true) return;
    throw new RefusedClaims(rule.message === '' ? `the condition ${rule.source} is false` : rule.message);
  }

  #username(mapping: MappedClaim | Expression): string {
    const isExpression = 'program' in mapping;
    const name = isExpression ? this.#mapped(mapping) : this.#claim(mapping.claim);
    if (typeof name !== 'string' || name === '')
      throw new RefusedClaims('the user name is not a string, or is empty');
    if (isExpression) return name;
    const verified = this.#claim('email_verified');
    if (mapping.claim === 'email' && verified !== undefined && verified !== true)
      throw new RefusedClaims('the e-mail address is not verified');
    return mapping.prefix + name;
  }

  #uid(mapping: ClaimRules['uid']): string {
    if (mapping === undefined) return '';
    const uid = 'program' in mapping ? this.#mapped(mapping) : this.#claim(mapping.claim);
    if (typeof uid !== 'string') throw new RefusedClaims('the uid is not a string');
    return uid;
  }

  #groups(mapping: MappedGroups | Expression | undefined): readonly string[] {
    if (mapping === undefined) return [];
    if ('program' in mapping) return textsOf(this.#mapped(mapping), 'the value of groups');
    const what = `claim ${JSON.stringify(mapping.claim)}`;
    const value = this.#claim(mapping.claim);
    if (mapping.isListOnly && typeof value === 'string')
      throw new RefusedClaims(`${what} is not a list of strings`);
    return textsOf(value, what).map((group) => mapping.prefix + group);
  }

  #extra(mappings: ClaimRules['extra']): Readonly<Record<string, readonly string[]>> {
    const entries = mappings.map(
      ({ key, value }) => [key, textsOf(this.#mapped(value), `the value of extra ${key}`)] as const,
    );
    return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
  }

  #claim(name: string): unknown {
    return Object.hasOwn(this.#claims, name) ? this.#claims[name] : undefined;
  }

  #mapped(expression: Expression): unknown {
    return this.#value(expression, { claims: this.#claims });
  }

  #value({ program, source }: Expression, variables: Readonly<Record<string, unknown>>): unknown {
    const outcome = program.evaluate(variables);
    if (!this.#budget.spend(outcome)) throw new RefusedClaims('the expressions cost too much');
    if (outcome.kind !== 'value') throw new RefusedClaims(`${source}: ${outcome.message}`);
    try {
      return toJson(outcome.value);
    } catch (error) {
      if (error instanceof EvaluationError) throw new RefusedClaims(`${source}: ${error.message}`);
      throw error;
    }
  }
}

/** A string, a list of strings, or nothing: an empty string and null count as nothing. */
function textsOf(value: unknown, what: string): readonly string[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new RefusedClaims(`${what} is not a list of strings`);
}
