export * from './access/index.ts';
export * from './admission/index.ts';
export { Environment } from './check/environment.ts';
export { CostBudget, outOfBudget } from './cost/cost-budget.ts';
export * from './decl/build.ts';
export type * from './decl/decl-type.ts';
export { escapeName, isIdentifier } from './decl/escape.ts';
export { environmentOf } from './environment-of.ts';
export {
  type AccessDecision,
  type AccessQuery,
  type AccountName,
  AuthorizerValue,
  ResourceCheckValue,
} from './library/authorizer.ts';
export { bindings } from './library/bindings.ts';
export { testOf as patternTest } from './library/patterns/pattern-test.ts';
export { quantityType } from './library/quantity.ts';
export { librariesOf } from './library/releases.ts';
export { semanticVersionType } from './library/semver.ts';
export { plainFormatting, stringReversal } from './library/strings.ts';
export { excessOf, patternSize } from './library/text/pattern-size.ts';
export * from './limits.ts';
export type { Outcome } from './outcome.ts';
export { Piecewise } from './piecewise.ts';
export { compile, compileInPieces, compileUnchecked, Program } from './program.ts';
export { CelSyntaxError } from './syntax/source.ts';
export type { CelType } from './types/type.ts';
export * as types from './types/type.ts';
export { ArrayList, EntryMap } from './values/collections.ts';
export { equalValues } from './values/equality.ts';
export { EvaluationError } from './values/evaluation-error.ts';
export { toJson } from './values/to-json.ts';
export { typeNameOf } from './values/type-of.ts';
export { Double, Duration, none, Timestamp, TypeValue, Uint, type Value } from './values/value.ts';
