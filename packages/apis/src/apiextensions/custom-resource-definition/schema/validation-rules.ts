import { fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asObject, asText, type JsonObject } from '@orch/machinery/json';
import { fieldAt, type StructuralSchema } from '@orch/schema';
import { ruleReasons } from '../json-schema-props.ts';
import type { SchemaContext } from './schema-context.ts';

const hasLineBreak = (text: string): boolean => /[\r\n]/.test(text);
const isBlank = (text: string): boolean => text !== '' && text.trim() === '';

/** Checks the expression, and that one of several lines has a message: only the first problem is reported. */
function checkMessage(rule: string, message: string, path: string, context: SchemaContext): void {
  if (rule.trim() === '') {
    context.report(fieldError.required(`${path}.rule`, 'rule is not specified'));
  } else if (isBlank(message)) {
    context.report(fieldError.invalid(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    context.report(fieldError.invalid(`${path}.message`, message, 'must not contain line breaks'));
  } else if (message === '' && hasLineBreak(rule.trim())) {
    const why = 'message must be specified if rule contains line breaks';
    context.report(fieldError.required(`${path}.message`, why));
  }
}

function checkRule(rule: JsonObject, path: string, context: SchemaContext): void {
  checkMessage(asText(rule['rule']), asText(rule['message']), path, context);
  const { reason } = rule;
  if (isBlank(asText(rule['messageExpression']))) {
    const why = 'messageExpression must be non-empty if specified';
    context.report(fieldError.required(`${path}.messageExpression`, why));
  }
  if (reason !== undefined && !ruleReasons.includes(asText(reason)))
    context.report(fieldError.notSupported(`${path}.reason`, reason, ruleReasons));
  const fieldPath = asText(rule['fieldPath']);
  const at = `${path}.fieldPath`;
  if (isBlank(fieldPath)) context.report(fieldError.invalid(at, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath))
    context.report(fieldError.invalid(at, fieldPath, 'must not contain line breaks'));
}

/** Checks the rules of one schema except their expressions and paths (facts: CustomResourceDefinition). */
export function checkRules(schema: JsonObject, path: string, context: SchemaContext): void {
  const { validations } = context.keys;
  const rules: unknown = schema[validations];
  if (!Array.isArray(rules)) return;
  for (const [i, rule] of rules.entries()) checkRule(asObject(rule), `${path}.${validations}[${i}]`, context);
}

/** Checks that the paths of the rules of a structural schema, and of the schemas within it, lead to declared fields. */
export function* checkRulePaths(schema: StructuralSchema, path: string, context: SchemaContext): Work<void> {
  if (context.full) return;
  if (context.pace.isDue()) yield;
  for (const [i, { fieldPath }] of (schema.validations ?? []).entries()) {
    if (fieldPath === undefined) continue;
    if (typeof fieldAt(schema, fieldPath, { allowsBrackets: true }) !== 'string') continue;
    const at = `${path}.${context.keys.validations}[${i}].fieldPath`;
    context.report(fieldError.invalid(at, fieldPath, 'must be a valid path'));
  }
  const { additionalProperties, items, properties } = schema;
  for (const [name, property] of properties ?? [])
    yield* checkRulePaths(property, `${path}.properties[${name}]`, context);
  if (items !== undefined) yield* checkRulePaths(items, `${path}.items`, context);
  if (typeof additionalProperties === 'object')
    yield* checkRulePaths(additionalProperties, `${path}.additionalProperties`, context);
}
