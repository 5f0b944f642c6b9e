export { type CompiledRule, compileRulesOf } from './compiled-rule.ts';
export { Declarations } from './declarations.ts';
