import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { StructuralSchema, ValueRules } from '../structural-schema.ts';
import { noPast, PastItems, pastField } from './correlation.ts';
import { hasDuplicatesInPieces } from './duplicates.ts';
import type { Rules, RuleWalk, VisitInPieces } from './rule-walk.ts';

type Compile = (schema: StructuralSchema) => Rules;

/** The rules of the items of a list. */
export function compileItems(
  schema: StructuralSchema,
  { maxItems, minItems, uniqueItems }: ValueRules,
  compile: Compile,
): VisitInPieces {
  const ofItem = schema.items === undefined ? undefined : compile(schema.items);
  return function* (value, old, walk) {
    const items = value as readonly unknown[];
    let matches = 2;
    if (ofItem !== undefined) {
      const past = old === noPast ? undefined : yield* PastItems.finding(schema, old, walk.pace);
      for (const [i, item] of items.entries()) {
        if (walk.isDue()) yield;
        walk.enter(i);
        const was = past === undefined ? noPast : past.of(item);
        matches += walk.divides(item)
          ? yield* ofItem.inPieces(item, was, walk)
          : ofItem.visit(item, was, walk);
        walk.leave();
      }
    }
    if (minItems !== undefined && items.length < minItems)
      walk.invalid(items.length, `should have at least ${minItems} items`);
    if (maxItems !== undefined && items.length > maxItems)
      walk.report(fieldError.tooMany(walk.field, items.length, maxItems));
    if (uniqueItems === true && (yield* hasDuplicatesInPieces(items, walk.pace)))
      walk.invalid('', "shouldn't contain duplicates");
    return matches;
  };
}

/** The common context of the fields of an object. */
interface Context {
  readonly old: unknown;
  readonly walk: RuleWalk;
}

/** Rules of fields by their names; those of the values of a map have one in common. */
function fieldRules(schema: StructuralSchema, compile: Compile): (name: string) => Rules | undefined {
  const { additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? compile(additionalProperties) : undefined;
  const rules = new Map<string, Rules>();
  return (name) => {
    const known = rules.get(name);
    if (known !== undefined) return known;
    const property = schema.properties?.get(name);
    if (property === undefined) return others;
    const compiled = compile(property);
    rules.set(name, compiled);
    return compiled;
  };
}

/** The rules of the fields of an object. */
export function compileFields(schema: StructuralSchema, rules: ValueRules, compile: Compile): VisitInPieces {
  const rulesOf = fieldRules(schema, compile);
  const { maxProperties, minProperties } = rules;
  const hasCounts = maxProperties !== undefined || minProperties !== undefined;
  const isClosed = schema.additionalProperties === false;
  return function* (value, old, walk) {
    const object = value as JsonObject;
    const names = Object.keys(object);
    const context: Context = { old, walk };
    let matches = 1;
    walk.budget.spend(names.length);
    if (hasCounts) checkCount(names.length, rules, walk);
    for (const name of names) {
      if (walk.isDue()) yield;
      const ofField = rulesOf(name);
      if (ofField !== undefined) matches += yield* visitingField(ofField, [name, object[name]], context);
      else if (isClosed) {
        const { field, path } = walk;
        walk.report(fieldError.invalid(field, name, `${path}.${name} in body is a forbidden property`));
      }
    }
    checkRequired(object, rules, walk);
    return matches;
  };
}

function* visitingField(
  rules: Rules,
  [name, value]: readonly [name: string, value: unknown],
  { old, walk }: Context,
): Work<number> {
  // Both objects are converted to one version, so these fields do not show changes.
  const hasPast = old !== noPast && !(walk.isAtRoot && (name === 'apiVersion' || name === 'kind'));
  const past = hasPast ? pastField(old, name) : noPast;
  walk.enter(name);
  const matches = walk.divides(value)
    ? yield* rules.inPieces(value, past, walk)
    : rules.visit(value, past, walk);
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
