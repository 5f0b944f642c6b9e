import { escapeName } from '@orch/cel';
import { type StructuralSchema, someStructure } from '../structural-schema.ts';
import { type CompiledRule, compileRulesOf } from './compiled-rule.ts';
import { Declarations } from './declarations.ts';

/** The rules of a schema and of the schemas within it; parts without rules are left out. */
export interface RuleTree {
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  /** Of the values of a map. */
  readonly values: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** Compiles all rules of the schema of a kind; undefined when it has none. */
export function compileRuleTree(root: StructuralSchema): RuleTree | undefined {
  const hasRules = someStructure(root, ({ validations }) => validations !== undefined);
  return hasRules ? new TreeCompiler().compile(root, 'self', true) : undefined;
}

class TreeCompiler {
  readonly #declarations = new Declarations();

  compile(schema: StructuralSchema, name: string, isResource?: boolean): RuleTree | undefined {
    const decl = this.#declarations.of(schema, name, isResource);
    // Values of unknown type are out of reach of expressions, with everything below them.
    if (decl === undefined) return undefined;
    const { additionalProperties, items } = schema;
    const tree: RuleTree = {
      schema,
      rules: compileRulesOf(schema, decl),
      properties: this.#properties(schema, name),
      values:
        typeof additionalProperties === 'object'
          ? this.compile(additionalProperties, `${name}.@elem`)
          : undefined,
      items: items === undefined ? undefined : this.compile(items, `${name}.@idx`),
    };
    const isEmpty =
      tree.rules.length === 0 &&
      tree.properties.size === 0 &&
      tree.values === undefined &&
      tree.items === undefined;
    return isEmpty ? undefined : tree;
  }

  #properties({ properties }: StructuralSchema, name: string): ReadonlyMap<string, RuleTree> {
    const trees = new Map<string, RuleTree>();
    for (const [field, property] of properties ?? []) {
      const tree = this.compile(property, `${name}.${escapeName(field) ?? field}`);
      if (tree !== undefined) trees.set(field, tree);
    }
    return trees;
  }
}
