export type { CompiledRule } from './compiled-rule.ts';
export { type CostBudget, evaluateRules, type RuledValue } from './evaluate-rules.ts';
export { RuleCompiler } from './rule-compiler.ts';
export { type RuleTree, RuleTrees } from './rule-tree.ts';
