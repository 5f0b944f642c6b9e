import { type DeclType, type Program, RULE_ESTIMATE_LIMIT, SCHEMA_ESTIMATE_LIMIT } from '@orch/cel';
import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { CompiledRule, RuleCompiler, StructuralSchema } from '@orch/schema';
import type { SchemaContext } from './schema-context.ts';

const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
/** Rules with at least this share of the limit of a schema are named when the limit is exceeded. */
const NAMED_SHARE = 0.01;
const MAX_NAMED = 4;

/** One location of a schema. */
interface Place {
  readonly path: string;
  /** Name of the type in messages. */
  readonly name: string;
  /** Maximum number of values at this location of one object; undefined when the schema does not limit them. */
  readonly count: number | undefined;
  /** The list around it whose items cannot be compared with those before an update. */
  readonly uncorrelated: string | undefined;
}

/** Maximum number of values below it for each value that it describes; undefined without a limit. */
function factorOf({ additionalProperties, rules, type }: StructuralSchema): number | undefined {
  if (type === 'array') return rules?.maxItems === undefined ? undefined : Math.max(0, rules.maxItems);
  if (type !== 'object' || additionalProperties === undefined) return 1;
  return rules?.maxProperties === undefined ? undefined : Math.max(0, rules.maxProperties);
}

function excessOf(cost: number, limit: number): string {
  const factor = cost / limit;
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}

const costMessage = (what: string, cost: number, limit: number): string =>
  `${what} exceeds budget by factor of ${excessOf(cost, limit)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

/**
 * Checks the expressions of a structural schema: each compiles with the types of the schema, and neither a single
 * expression nor all together exceed the estimated cost limit.
 */
export function* checkExpressions(
  schema: StructuralSchema,
  path: string,
  compiler: RuleCompiler,
  context: SchemaContext,
): Work<void> {
  yield* new ExpressionCheck(compiler, context).check(schema, path);
}

class ExpressionCheck {
  readonly #context: SchemaContext;
  readonly #compiler: RuleCompiler;
  /** The schemas with rules, and those around them. */
  readonly #withRules = new Set<StructuralSchema>();
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  constructor(compiler: RuleCompiler, context: SchemaContext) {
    this.#compiler = compiler;
    this.#context = context;
  }

  *check(schema: StructuralSchema, path: string): Work<void> {
    yield* this.#findRules(schema);
    yield* this.#visit(schema, { path, name: 'self', count: 1, uncorrelated: undefined }, true);
    const total = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (total <= SCHEMA_ESTIMATE_LIMIT) return;
    const named = this.#costs.filter(({ cost }) => cost >= SCHEMA_ESTIMATE_LIMIT * NAMED_SHARE);
    for (const rule of named.sort((a, b) => b.cost - a.cost).slice(0, MAX_NAMED)) {
      const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      this.#context.report(fieldError.forbidden(rule.path, why));
    }
    const what = `${this.#context.keys.validations} estimated rule cost total for entire OpenAPIv3 schema`;
    this.#context.report(fieldError.forbidden(path, costMessage(what, total, SCHEMA_ESTIMATE_LIMIT)));
  }

  *#findRules(schema: StructuralSchema): Work<boolean> {
    if (this.#context.pace.isDue()) yield;
    const { additionalProperties, items, properties, validations } = schema;
    let found = validations !== undefined;
    for (const property of properties?.values() ?? []) found = (yield* this.#findRules(property)) || found;
    if (typeof additionalProperties === 'object')
      found = (yield* this.#findRules(additionalProperties)) || found;
    if (items !== undefined) found = (yield* this.#findRules(items)) || found;
    if (found) this.#withRules.add(schema);
    return found;
  }

  *#visit(schema: StructuralSchema, place: Place, isResource?: boolean): Work<void> {
    if (this.#context.full) return;
    if (this.#context.pace.isDue()) yield;
    if (!this.#withRules.has(schema)) return;
    if (schema.validations !== undefined) {
      const decl = yield* this.#compiler.declare(schema, place.name, isResource);
      yield* this.#checkRules(schema, place, decl);
    }
    const { additionalProperties, items, properties } = schema;
    const { name, path } = place;
    const factor = factorOf(schema);
    const count = place.count === undefined || factor === undefined ? undefined : place.count * factor;
    const below = { ...place, count };
    for (const [field, property] of properties ?? [])
      yield* this.#visit(property, {
        ...below,
        path: `${path}.properties[${field}]`,
        name: `${name}.${field}`,
      });
    if (typeof additionalProperties === 'object') {
      const at = { path: `${path}.additionalProperties`, name: `${name}.@elem` };
      yield* this.#visit(additionalProperties, { ...below, ...at });
    }
    if (items === undefined) return;
    const uncorrelated = place.uncorrelated ?? (schema.listType === 'map' ? undefined : path);
    yield* this.#visit(items, { ...below, path: `${path}.items`, name: `${name}.@idx`, uncorrelated });
  }

  *#checkRules(schema: StructuralSchema, place: Place, decl: DeclType | undefined): Work<void> {
    const path = `${place.path}.${this.#context.keys.validations}`;
    if (decl === undefined) {
      const why = 'rules need a value whose type the schema says';
      this.#context.report(fieldError.invalid(path, schema.type ?? '', why));
      return;
    }
    const count = place.count ?? Math.floor(MAX_REQUEST_BYTES / (decl.minSize + 1));
    const rules = yield* this.#compiler.compile(schema, decl);
    for (const [i, rule] of rules.entries()) {
      yield;
      this.#checkRule(rule, `${path}[${i}]`, count);
      this.#checkOldSelf(rule, `${path}[${i}]`, place);
    }
  }

  #checkRule({ declared, message, program }: CompiledRule, path: string, count: number): void {
    // A blank rule is reported with the rest of the schema.
    if (declared.rule.trim() === '') return;
    if (typeof program === 'string')
      this.#context.report(
        fieldError.invalid(`${path}.rule`, declared.rule, `compilation failed: ${program}`),
      );
    else this.#checkCost(program, `${path}.rule`, 'estimated rule cost', count);
    if (typeof message === 'string') {
      const why = `messageExpression compilation failed: ${message}`;
      this.#context.report(fieldError.invalid(`${path}.messageExpression`, declared.messageExpression, why));
    } else if (message !== undefined) {
      this.#checkCost(message, `${path}.messageExpression`, 'estimated messageExpression cost', 1);
    }
  }

  #checkCost(program: Program, path: string, what: string, count: number): void {
    const cost = program.estimateCost().max * count;
    this.#costs.push({ path, cost });
    if (cost > RULE_ESTIMATE_LIMIT)
      this.#context.report(fieldError.forbidden(path, costMessage(what, cost, RULE_ESTIMATE_LIMIT)));
  }

  #checkOldSelf(
    { declared, program, usesOldSelf }: CompiledRule,
    path: string,
    { uncorrelated }: Place,
  ): void {
    if (usesOldSelf && uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      this.#context.report(fieldError.invalid(`${path}.rule`, declared.rule, why));
    }
    if (!usesOldSelf && declared.optionalOldSelf === true && typeof program !== 'string') {
      const why = 'may not be set if oldSelf is not used in rule';
      this.#context.report(fieldError.invalid(`${path}.optionalOldSelf`, true, why));
    }
  }
}
