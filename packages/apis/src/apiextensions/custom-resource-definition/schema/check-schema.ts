import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asText, type JsonObject } from '@orch/machinery/json';
import { type Budget, RuleCompiler, structuralReading } from '@orch/schema';
import { checkComplete } from './completeness-rules.ts';
import { DefaultRules } from './default-rules.ts';
import { checkExpressions } from './expression-rules.ts';
import { checkOpenApi, unsupportedPart } from './open-api-rules.ts';
import type { PatternCheck } from './pattern-check.ts';
import { checkPattern } from './pattern-rule.ts';
import { childSchemas, SchemaContext, type SchemaOptions } from './schema-context.ts';
import { checkStructural } from './structural-rules.ts';
import { checkRulePaths } from './validation-rules.ts';

export interface SchemaRules extends SchemaOptions {
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  /** Whether expressions are compiled and their costs estimated. */
  readonly expressions: boolean;
  /** The status subresource is enabled, so the schema must declare the status. */
  readonly hasStatus: boolean;
}

/** Keywords allowed at the root of a schema when the status subresource is enabled. */
const besideStatus: ReadonlySet<string> = new Set([
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'enum',
  'items',
  'properties',
  'externalDocs',
  'example',
]);

function checkRoot(schema: JsonObject, path: string, rules: SchemaRules, context: SchemaContext): void {
  if (schema['nullable'] === true)
    context.report(fieldError.forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  if (!rules.hasStatus) return;
  const type = asText(schema['type']);
  if (type !== '' && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    context.report(fieldError.invalid(`${path}.type`, type, why));
  }
  const { preserveUnknownFields, validations } = context.keys;
  const isAllowed = (field: string): boolean =>
    besideStatus.has(field) || field === preserveUnknownFields || field === validations;
  if (Object.entries(schema).some(([field, value]) => value !== false && !isAllowed(field))) {
    const why = `only ${[...besideStatus].join(', ')} are allowed at the root of the schema if the status subresource is enabled`;
    context.report(fieldError.invalid(path, schema, why));
  }
}

/** Patterns of a schema that need not be structural. */
function* checkAllPatterns(schema: JsonObject, path: string, context: SchemaContext): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  checkPattern(schema, path, context);
  for (const child of childSchemas(schema, path)) yield* checkAllPatterns(child.schema, child.path, context);
}

export interface SchemaFindings {
  readonly errors: readonly FieldError[];
  readonly isStructural: boolean;
  /** Whether all defaults contain only fields that their schemas declare. */
  readonly hasPrunedDefaults: boolean;
}

/** The reasons why a schema is not structural; `path` is that of `openAPIV3Schema`. */
export function* checkStructure(schema: JsonObject, path: string, names: Names): Work<readonly FieldError[]> {
  const context = new SchemaContext(names, { knownTypes: false, allowsDefaults: true });
  if ((yield* unsupportedPart(schema)) !== undefined) {
    context.report(fieldError.forbidden(path, 'uses parts of JSON Schema that are not supported'));
    return context.errors;
  }
  yield* checkStructural(schema, path, 'root', context);
  yield* checkComplete(schema, path, context);
  return context.errors;
}

export interface SchemaCheckOptions {
  readonly names: Names;
  /** Bounds the work for the defaults of all schemas of a definition. */
  readonly budget: Budget;
  /** Bounds the work for its patterns; undefined when they are not checked. */
  readonly patterns: PatternCheck | undefined;
}

/** All errors in the schema of custom objects; `path` is that of `openAPIV3Schema`. */
export function* checkSchema(
  schema: JsonObject,
  path: string,
  rules: SchemaRules,
  { budget, names, patterns }: SchemaCheckOptions,
): Work<SchemaFindings> {
  const context = new SchemaContext(names, rules, patterns);
  checkRoot(schema, path, rules, context);
  yield* checkOpenApi(schema, path, context);
  if (!rules.structural || (yield* unsupportedPart(schema)) !== undefined) {
    yield* checkAllPatterns(schema, path, context);
    return { errors: context.errors, isStructural: false, hasPrunedDefaults: true };
  }
  const structure = new SchemaContext(names, rules, patterns);
  yield* checkStructural(schema, path, 'root', structure);
  yield* checkComplete(schema, path, structure);
  const isStructural = structure.errors.length === 0;
  const expressions = rules.expressions ? new RuleCompiler() : undefined;
  const defaults = new DefaultRules(structure, budget, {
    mustBePruned: rules.prunedDefaults,
    names,
    expressions,
  });
  if (isStructural) {
    const structural = yield* structuralReading(schema, names);
    yield* defaults.check(structural, path);
    yield* checkRulePaths(structural, path, structure);
    // Errors of expressions would repeat those of the schema that they refer to.
    const isSound = structure.errors.length === 0 && context.errors.length === 0;
    if (isSound && expressions !== undefined)
      yield* checkExpressions(structural, path, expressions, structure);
  }
  return {
    errors: [...context.errors, ...structure.errors],
    isStructural,
    hasPrunedDefaults: defaults.arePruned,
  };
}
