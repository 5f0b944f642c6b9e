import { fieldError } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { type StructuralSchema, typesOf, type ValueRules } from '../structural-schema.ts';
import { compileCombinations } from './combinations.ts';
import { isUnchanged, noPast, PastItems, pastField } from './correlation.ts';
import { formatTest } from './formats.ts';
import { rangeCheck } from './number-range.ts';
import type { RuleWalk, Visit } from './rule-walk.ts';
import { enumCheck, formatCheck, numberCheck, stringCheck } from './scalar-rules.ts';
import { isNearlyWhole, jsonTypeOf } from './value-type.ts';

const none: ValueRules = {};

/** The format as far as it has an effect. */
const effectiveFormat = ({ format }: ValueRules): string | undefined =>
  format === undefined || formatTest(format) === undefined ? undefined : format;

/** Reports a value of the wrong type; returns whether the type is right. */
function typeCheck(schema: StructuralSchema): (type: string, value: unknown, walk: RuleWalk) => boolean {
  const types = typesOf(schema);
  const format = effectiveFormat(schema.rules ?? none);
  const allowed = types.join(',');
  const isNumeric = types.includes('number') || types.includes('integer');
  return (type, value, walk) => {
    const fits =
      types.includes(type) ||
      (type === 'integer' && types.includes('number')) ||
      (type === 'number' && types.includes('integer') && isNearlyWhole(value));
    if (fits || (schema.isIntOrString === true && !walk.typesIntOrString)) return true;
    // Formats are about strings, and take the place of the type where one has an effect.
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
export function compileRules(schema: StructuralSchema): Visit {
  const rules = schema.rules ?? none;
  const types = typesOf(schema);
  const hasType = types.length > 0 || effectiveFormat(rules) !== undefined;
  const checkType = typeCheck(schema);
  const checkEnum = enumCheck(rules);
  const combinations = compileCombinations(rules, compileRules);
  const ofType = compileTypeRules(schema, rules);
  return (value, old, walk) => {
    walk.budget.spend(1);
    if (value === null) {
      const isAllowed = types.length === 0 || schema.nullable === true;
      if (!isAllowed) walk.wrongType(types.join(','), 'null');
      checkEnum?.(value, walk);
      return isAllowed ? 1 : 0;
    }
    const type = jsonTypeOf(value);
    let matches = 4;
    if (hasType) matches += checkType(type, value, walk) ? 2 : 1;
    if (combinations !== undefined) matches += combinations(value, old, walk);
    matches += ofType(type)(value, old, walk);
    checkEnum?.(value, walk);
    return matches;
  };
}

/** The rules that apply to values of one type. */
function compileTypeRules(schema: StructuralSchema, rules: ValueRules): (type: string) => Visit {
  const checkString = stringCheck(rules);
  const checkFormat = formatCheck(rules);
  const checkNumber = numberCheck(rules);
  const checkRange = rangeCheck(schema);
  const visitItems = compileItems(schema, rules);
  const visitFields = compileFields(schema, rules);
  const strings: Visit = (value, _old, walk) => {
    checkString?.(value as string, walk);
    checkFormat?.(value as string, walk);
    return checkFormat === undefined ? 1 : 2;
  };
  const numbers: Visit = (value, _old, walk) => {
    checkNumber?.(value, walk);
    checkRange?.(value, walk);
    return 2;
  };
  const visits: Readonly<Record<string, Visit>> = {
    string: strings,
    integer: numbers,
    number: numbers,
    array: visitItems,
    object: visitFields,
    boolean: () => 0,
  };
  return (type) => visits[type] as Visit;
}

/**
 * A part of a value by its own schema. Parts that an update leaves unchanged are not reported: they may predate the
 * rule, or the current strictness of the schema.
 */
export function compilePart(schema: StructuralSchema): Visit {
  let visit: Visit | undefined;
  return (value, old, walk) => {
    visit ??= compileRules(schema);
    if (old === noPast) return visit(value, noPast, walk);
    const { errorCount, failures } = walk;
    const matches = visit(value, old, walk);
    if (walk.failures > failures && isUnchanged(value, old, schema))
      walk.rollback({ errors: errorCount, failures });
    return matches;
  };
}

function compileItems(schema: StructuralSchema, { maxItems, minItems, uniqueItems }: ValueRules): Visit {
  const visitItem = schema.items === undefined ? undefined : compilePart(schema.items);
  return (value, old, walk) => {
    const items = value as readonly unknown[];
    let matches = 2;
    if (visitItem !== undefined) {
      const past = old === noPast ? undefined : PastItems.of(schema, old);
      for (let i = 0; i < items.length; i++) {
        walk.enter(i);
        matches += visitItem(items[i], past === undefined ? noPast : past.of(items[i]), walk);
        walk.leave();
      }
    }
    if (minItems !== undefined && items.length < minItems)
      walk.invalid(items.length, `should have at least ${minItems} items`);
    if (maxItems !== undefined && items.length > maxItems)
      walk.report(fieldError.tooMany(walk.field, items.length, maxItems));
    if (uniqueItems === true && hasDuplicates(items)) walk.invalid('', "shouldn't contain duplicates");
    return matches;
  };
}

/** Reports whether two items are written alike. */
export const hasDuplicates = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => JSON.stringify(item))).size < items.length;

/** The common context of the fields of an object. */
interface Context {
  readonly old: unknown;
  readonly walk: RuleWalk;
}

/** Visits of fields by their names; those of the values of a map have one in common. */
function fieldVisits(schema: StructuralSchema): (name: string) => Visit | undefined {
  const { additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? compilePart(additionalProperties) : undefined;
  const visits = new Map<string, Visit>();
  return (name) => {
    const known = visits.get(name);
    if (known !== undefined) return known;
    const property = schema.properties?.get(name);
    if (property === undefined) return others;
    const visit = compilePart(property);
    visits.set(name, visit);
    return visit;
  };
}

function compileFields(schema: StructuralSchema, rules: ValueRules): Visit {
  const visitOf = fieldVisits(schema);
  const { maxProperties, minProperties } = rules;
  const hasCounts = maxProperties !== undefined || minProperties !== undefined;
  const isClosed = schema.additionalProperties === false;
  return (value, old, walk) => {
    const object = value as JsonObject;
    const names = Object.keys(object);
    const context: Context = { old, walk };
    let matches = 1;
    walk.budget.spend(names.length);
    if (hasCounts) checkCount(names.length, rules, walk);
    for (const name of names) {
      const visit = visitOf(name);
      if (visit !== undefined) matches += visitField(visit, name, object[name], context);
      else if (isClosed) {
        const { field, path } = walk;
        walk.report(fieldError.invalid(field, name, `${path}.${name} in body is a forbidden property`));
      }
    }
    checkRequired(object, rules, walk);
    return matches;
  };
}

function visitField(visit: Visit, name: string, value: unknown, { old, walk }: Context): number {
  // Both objects are converted to one version, so these fields do not show changes.
  const hasPast = old !== noPast && !(walk.isAtRoot && (name === 'apiVersion' || name === 'kind'));
  const past = hasPast ? pastField(old, name) : noPast;
  walk.enter(name);
  const matches = visit(value, past, walk);
  walk.leave();
  return matches;
}

function checkCount(count: number, { maxProperties, minProperties }: ValueRules, walk: RuleWalk): void {
  if (minProperties !== undefined && count < minProperties)
    walk.invalid(count, `should have at least ${minProperties} properties`);
  if (maxProperties !== undefined && count > maxProperties)
    walk.report(fieldError.tooMany(walk.field, count, maxProperties));
}

function checkRequired(object: JsonObject, { required }: ValueRules, walk: RuleWalk): void {
  if (required === undefined) return;
  walk.budget.spend(required.length);
  for (const name of required) {
    if (Object.hasOwn(object, name)) continue;
    walk.enter(name);
    walk.report(fieldError.required(walk.field));
    walk.leave();
  }
}
