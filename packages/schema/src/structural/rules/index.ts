export { type CompiledRule, compileRulesOf } from './compiled-rule.ts';
export { Declarations } from './declarations.ts';
export { evaluateRules } from './evaluate-rules.ts';
export { compileRuleTree, type RuleTree } from './rule-tree.ts';
