import { type StructuralSchema, typesOf, type ValueRules } from '../structural-schema.ts';
import { compileCombinations } from './combinations.ts';
import { comparingWithPast, isUnchanged, noPast } from './correlation.ts';
import { effectiveFormat } from './formats.ts';
import { rangeCheck } from './number-range.ts';
import { compileFields, compileItems } from './part-rules.ts';
import type { Rules, RuleWalk, Visit, VisitInPieces } from './rule-walk.ts';
import { enumCheck, formatCheck, numberCheck, stringCheck } from './scalar-rules.ts';
import { isNearlyWhole, jsonTypeOf } from './value-type.ts';

const none: ValueRules = {};

/** Reports the errors of a value without parts; returns the number of satisfied rules. */
type VisitScalar = (value: unknown, walk: RuleWalk) => number;

/** Reports a value of the wrong type; returns whether the type is right. */
function typeCheck(schema: StructuralSchema): (type: string, value: unknown, walk: RuleWalk) => boolean {
  const types = typesOf(schema);
  const format = effectiveFormat(schema);
  const allowed = types.join(',');
  const isNumeric = types.includes('number') || types.includes('integer');
  return (type, value, walk) => {
    const fits =
      types.includes(type) ||
      (type === 'integer' && types.includes('number')) ||
      (type === 'number' && types.includes('integer') && isNearlyWhole(value));
    if (fits || (schema.isIntOrString === true && !walk.typesIntOrString)) return true;
    // A format takes the place of the type where it has an effect.
    if (format !== undefined && type !== 'string' && type !== 'array') {
      walk.wrongType(format, type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '');
      return false;
    }
    if (format !== undefined && !isNumeric) return true;
    walk.wrongType(allowed, type);
    return false;
  };
}

/** Compiles a schema, and the schemas within it on first use. */
export function compileRules(schema: StructuralSchema): Rules {
  const rules = schema.rules ?? none;
  const types = typesOf(schema);
  const hasType = types.length > 0 || effectiveFormat(schema) !== undefined;
  const checkType = typeCheck(schema);
  const checkEnum = enumCheck(rules);
  const combinations = compileCombinations(rules, compileRules);
  const ofScalar = compileScalarRules(schema, rules);
  const ofItems = compileItems(schema, rules, compilePart);
  const ofFields = compileFields(schema, rules, compilePart);
  const nullMatches = (value: null, walk: RuleWalk): number => {
    const isAllowed = types.length === 0 || schema.nullable === true;
    if (!isAllowed) walk.wrongType(types.join(','), 'null');
    checkEnum?.(value, walk);
    return isAllowed ? 1 : 0;
  };
  const inPieces: VisitInPieces = function* (value, old, walk) {
    walk.budget.spend(1);
    if (value === null) return nullMatches(value, walk);
    const type = jsonTypeOf(value);
    let matches = 4;
    if (hasType) matches += checkType(type, value, walk) ? 2 : 1;
    // Values within a combination are never compared with the old value: the combination holds or not.
    if (combinations !== undefined) matches += yield* combinations(value, noPast, walk);
    if (type === 'array') matches += yield* ofItems(value, old, walk);
    else if (type === 'object') matches += yield* ofFields(value, old, walk);
    else matches += ofScalar[type]?.(value, walk) ?? 0;
    checkEnum?.(value, walk);
    return matches;
  };
  /** A value without parts that only its own rules check: most values. */
  const scalar: VisitScalar = (value, walk) => {
    walk.budget.spend(1);
    const type = jsonTypeOf(value);
    let matches = 4;
    if (hasType) matches += checkType(type, value, walk) ? 2 : 1;
    matches += ofScalar[type]?.(value, walk) ?? 0;
    checkEnum?.(value, walk);
    return matches;
  };
  const visit: Visit = (value, old, walk) =>
    typeof value === 'object' || combinations !== undefined
      ? walk.undivided(inPieces(value, old, walk))
      : scalar(value, walk);
  return { visit, inPieces };
}

/** The rules of values that have no parts, by their type. */
function compileScalarRules(
  schema: StructuralSchema,
  rules: ValueRules,
): Readonly<Record<string, VisitScalar>> {
  const checkString = stringCheck(rules);
  const checkFormat = formatCheck(rules.format === effectiveFormat(schema) ? rules : none);
  const checkNumber = numberCheck(rules);
  const checkRange = rangeCheck(schema);
  const numbers: VisitScalar = (value, walk) => {
    checkNumber?.(value, walk);
    checkRange?.(value, walk);
    return 2;
  };
  return {
    string: (value, walk) => {
      checkString?.(value as string, walk);
      checkFormat?.(value as string, walk);
      return checkFormat === undefined ? 1 : 2;
    },
    integer: numbers,
    number: numbers,
  };
}

/**
 * A part of a value by its own schema. Parts that an update leaves unchanged are not reported: they may predate the
 * rule, or the current strictness of the schema.
 */
export function compilePart(schema: StructuralSchema): Rules {
  let rules: Rules | undefined;
  return {
    visit(value, old, walk) {
      rules ??= compileRules(schema);
      const mark = walk.mark();
      const matches = rules.visit(value, old, walk);
      if (walk.failures > mark.failures && isUnchanged(value, old, schema)) walk.rollback(mark);
      return matches;
    },
    *inPieces(value, old, walk) {
      rules ??= compileRules(schema);
      const mark = walk.mark();
      const matches = yield* rules.inPieces(value, old, walk);
      if (walk.failures > mark.failures && (yield* comparingWithPast([value, old], schema, walk.pace)))
        walk.rollback(mark);
      return matches;
    },
  };
}
