import { type AccessExpressions, compileAny, compileFor, type Environment, types } from '@orch/cel';
import { namingOf } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import type { ConfigValue } from '@orch/machinery/yaml';
import type { ClaimRules, Expression, MappedClaim, RequiredClaim } from './configuration.ts';

type Field = (name: 'claimValidationRules' | 'claimMappings' | 'userValidationRules') => ConfigValue;
/** Building the environments is expensive, and most files have no expressions. */
type Expressions = () => AccessExpressions;

/** Reads how the claims of an issuer become users. */
export function readClaimRules(field: Field, expressions: Expressions): ClaimRules {
  const required = readRequired(field('claimValidationRules').list(), expressions);
  const mapping = field('claimMappings').object(['username', 'groups', 'uid', 'extra']);
  const username = readUsername(mapping('username'), expressions);
  const extra = readExtra(mapping('extra').list(), expressions);
  checkVerifiedEmail(mapping('username'), username, [...required, ...extra.map(({ value }) => value)]);
  return {
    required,
    username,
    groups: readGroups(mapping('groups'), expressions),
    uid: readUid(mapping('uid'), expressions),
    extra,
    user: readConditions(field('userValidationRules').list(), () => expressions().user),
  };
}

function readRequired(
  rules: readonly ConfigValue[],
  expressions: Expressions,
): readonly (RequiredClaim | Expression)[] {
  const known = new Set<string>();
  return rules.map((rule) => {
    const field = rule.object(['claim', 'requiredValue', 'expression', 'message']);
    const [claim, value] = [field('claim').text(), field('requiredValue').text()];
    if (claim === '' && field('expression').text() === '') rule.fail('a claim or an expression is required');
    const id = claim === '' ? `expression ${field('expression').text()}` : `claim ${claim}`;
    if (known.has(id)) rule.fail(`the ${id} is repeated`);
    known.add(id);
    if (claim === '') {
      if (value !== '') field('requiredValue').fail('needs a claim');
      return readCondition(field, () => expressions().claims);
    }
    for (const other of ['expression', 'message'] as const)
      if (field(other).text() !== '') field(other).fail('must not be given together with a claim');
    return { claim, value };
  });
}

function readConditions(
  rules: readonly ConfigValue[],
  environment: () => Environment,
): readonly Expression[] {
  const known = new Set<string>();
  return rules.map((rule) => {
    const field = rule.object(['expression', 'message']);
    const condition = readCondition(field, environment);
    if (known.has(condition.source)) field('expression').fail('the expression is repeated');
    known.add(condition.source);
    return condition;
  });
}

function readCondition(
  field: (name: 'expression' | 'message') => ConfigValue,
  environment: () => Environment,
): Expression {
  const source = sourceOf(field('expression'));
  const program = compileFor(source, environment(), [types.bool]);
  if (typeof program === 'string') return field('expression').fail(program);
  return { program, source, message: field('message').text() };
}

/** The type of a mapped value is known when there are claims: it is checked then. */
function readValue(value: ConfigValue, expressions: Expressions): Expression {
  const source = sourceOf(value);
  const program = compileAny(source, expressions().claims);
  return typeof program === 'string' ? value.fail(program) : { program, source, message: '' };
}

function sourceOf(value: ConfigValue): string {
  const source = value.text();
  return source.trim() === '' ? value.fail('an expression is required') : source;
}

function readUsername(value: ConfigValue, expressions: Expressions): MappedClaim | Expression {
  return readPrefixed(value, expressions) ?? value.fail('a claim or an expression is required');
}

function readGroups(value: ConfigValue, expressions: Expressions): ClaimRules['groups'] {
  const groups = readPrefixed(value, expressions);
  return groups === undefined || 'program' in groups ? groups : { ...groups, isListOnly: false };
}

/** A claim needs a prefix, which may be empty: names of the issuer must not become those of others by omission. */
function readPrefixed(value: ConfigValue, expressions: Expressions): MappedClaim | Expression | undefined {
  const field = value.object(['claim', 'prefix', 'expression']);
  const [claim, prefix] = [field('claim'), field('prefix')];
  if (!field('expression').isAbsent) {
    if (claim.text() !== '') claim.fail('must not be given together with an expression');
    if (!prefix.isAbsent) prefix.fail('must not be given together with an expression');
    return readValue(field('expression'), expressions);
  }
  if (claim.text() === '') return prefix.isAbsent ? undefined : prefix.fail('needs a claim');
  if (prefix.isAbsent) prefix.fail('is required with a claim; it may be empty');
  return { claim: claim.text(), prefix: prefix.text() };
}

function readUid(value: ConfigValue, expressions: Expressions): ClaimRules['uid'] {
  const field = value.object(['claim', 'expression']);
  const claim = field('claim').text();
  if (field('expression').isAbsent) return claim === '' ? undefined : { claim };
  if (claim !== '') field('claim').fail('must not be given together with an expression');
  return readValue(field('expression'), expressions);
}

function readExtra(entries: readonly ConfigValue[], expressions: Expressions): ClaimRules['extra'] {
  const known = new Set<string>();
  return entries.map((entry) => {
    const field = entry.object(['key', 'valueExpression']);
    const key = field('key').text();
    checkExtraKey(field('key'), key);
    if (known.has(key)) field('key').fail(`${JSON.stringify(key)} is repeated`);
    known.add(key);
    return { key, value: readValue(field('valueExpression'), expressions) };
  });
}

/** Servers use keys of reserved domains for facts about credentials. */
function checkExtraKey(value: ConfigValue, key: string): void {
  if (key === '') value.fail('a key is required');
  if (!key.includes('/')) value.fail('must begin with a domain and a slash, such as example.com/team');
  const problem = qualifiedName(key);
  if (problem !== undefined) value.fail(problem);
  if (key !== key.toLowerCase()) value.fail('must be in lower case');
  if (namingOf(key) !== undefined) value.fail('the domain is reserved for servers');
}

/**
 * An expression that uses the e-mail address as the user name must also consider whether it is verified, which is checked
 * automatically for the claim `email`.
 */
function checkVerifiedEmail(
  value: ConfigValue,
  username: MappedClaim | Expression,
  others: readonly (RequiredClaim | Expression)[],
): void {
  if (!('program' in username) || !usesClaim(username, 'email')) return;
  if ([username, ...others].some((rule) => 'program' in rule && usesClaim(rule, 'email_verified'))) return;
  value.fail(
    'an expression that uses claims.email needs claims.email_verified, in it, in extra or in claimValidationRules, such as claims.?email_verified.orValue(true) == true',
  );
}

const usesClaim = ({ program }: Expression, claim: string): boolean => program.fieldsOf('claims').has(claim);
