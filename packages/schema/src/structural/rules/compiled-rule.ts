import {
  CelSyntaxError,
  compileInPieces,
  type DeclType,
  type Environment,
  environmentOf,
  optionalDecl,
  type Program,
  types,
} from '@orch/cel';
import type { Work } from '@orch/machinery/concurrency';
import type { StructuralSchema, ValidationRule } from '../../structural-schema.ts';
import { fieldAt } from '../field-path.ts';

/**
 * Functions of expressions are those of the newest release, whichever one is emulated: published definitions use them, and
 * without them their rules would not hold.
 */
const EXPRESSIONS_RELEASE = '1.35';

let environment: Environment | undefined;
const functions = (): Environment => {
  environment ??= environmentOf(EXPRESSIONS_RELEASE);
  return environment;
};

/** A rule of a schema, ready to be evaluated. */
export interface CompiledRule {
  readonly declared: ValidationRule;
  /** The expression, or its error. */
  readonly program: Program | string;
  /** The expression of its message, or its error; undefined when there is none. */
  readonly message: Program | string | undefined;
  readonly usesOldSelf: boolean;
  /** Path of its error below the value: `.spec`, `[key]`; empty for the value itself. */
  readonly fieldPath: string;
}

function* compiled(source: string, env: Environment, type: types.CelType): Work<Program | string> {
  try {
    return yield* compileInPieces(source, env, type);
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return error.message;
  }
}

function pathIn(schema: StructuralSchema, fieldPath: string | undefined): string {
  if (fieldPath === undefined) return '';
  const found = fieldAt(schema, fieldPath, { allowsBrackets: true });
  if (typeof found === 'string') return '';
  return found.steps.map(({ isKey, name }) => (isKey ? `[${name}]` : `.${name}`)).join('');
}

function* compileRule(rule: ValidationRule, schema: StructuralSchema, decl: DeclType): Work<CompiledRule> {
  const oldSelf = rule.optionalOldSelf === true ? optionalDecl(decl) : decl;
  const env = functions().extend({ self: decl, oldSelf });
  const program = yield* compiled(rule.rule, env, types.bool);
  const { messageExpression } = rule;
  const message =
    messageExpression === undefined ? undefined : yield* compiled(messageExpression, env, types.string);
  return {
    declared: rule,
    program,
    message,
    usesOldSelf: typeof program !== 'string' && program.uses('oldSelf'),
    fieldPath: pathIn(schema, rule.fieldPath),
  };
}

/** Compiles the rules of one schema; `decl` declares its values. */
export function* compileRulesOf(schema: StructuralSchema, decl: DeclType): Work<readonly CompiledRule[]> {
  const rules: CompiledRule[] = [];
  for (const rule of schema.validations ?? []) {
    rules.push(yield* compileRule(rule, schema, decl));
    yield;
  }
  return rules;
}
