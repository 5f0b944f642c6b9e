import { escapeName } from '@orch/cel';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { type StructuralSchema, someStructure } from '../../structural-schema.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { RuleCompiler } from './rule-compiler.ts';

/** The rules of a schema and of the schemas within it; parts without rules are left out. */
export interface RuleTree {
  readonly schema: StructuralSchema;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  /** The rules for the values of a map. */
  readonly values: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** The rule trees of the parts of one schema, each compiled on first use. */
export class RuleTrees {
  readonly #compiler: RuleCompiler;
  readonly #trees = new Map<StructuralSchema, RuleTree | undefined>();
  readonly #hasRules = someStructure(({ validations }) => validations !== undefined);

  constructor(compiler = new RuleCompiler()) {
    this.#compiler = compiler;
  }

  /** The rules of a part; undefined when it has none. `isResource`: its values are objects of the API. */
  of(schema: StructuralSchema, isResource?: boolean): RuleTree | undefined {
    return this.#trees.get(schema) ?? atOnce(this.compile(schema, isResource));
  }

  /** As `of`, in pieces. */
  *compile(schema: StructuralSchema, isResource?: boolean): Work<RuleTree | undefined> {
    return yield* this.#compile(schema, 'self', isResource);
  }

  *#compile(schema: StructuralSchema, name: string, isResource?: boolean): Work<RuleTree | undefined> {
    if (!this.#hasRules(schema)) return undefined;
    if (this.#trees.has(schema)) return this.#trees.get(schema);
    const tree = yield* this.#make(schema, name, isResource);
    this.#trees.set(schema, tree);
    return tree;
  }

  *#make(schema: StructuralSchema, name: string, isResource?: boolean): Work<RuleTree | undefined> {
    const decl = yield* this.#compiler.declare(schema, name, isResource);
    // Expressions cannot read values of unknown type, nor any values within.
    if (decl === undefined) return undefined;
    const { additionalProperties, items } = schema;
    const tree: RuleTree = {
      schema,
      rules: yield* this.#compiler.compile(schema, decl),
      properties: yield* this.#properties(schema, name),
      values:
        typeof additionalProperties === 'object'
          ? yield* this.#compile(additionalProperties, `${name}.@elem`)
          : undefined,
      items: items === undefined ? undefined : yield* this.#compile(items, `${name}.@idx`),
    };
    const isEmpty =
      tree.rules.length === 0 &&
      tree.properties.size === 0 &&
      tree.values === undefined &&
      tree.items === undefined;
    return isEmpty ? undefined : tree;
  }

  *#properties({ properties }: StructuralSchema, name: string): Work<ReadonlyMap<string, RuleTree>> {
    const trees = new Map<string, RuleTree>();
    for (const [field, property] of properties ?? []) {
      const tree = yield* this.#compile(property, `${name}.${escapeName(field) ?? field}`);
      if (tree !== undefined) trees.set(field, tree);
    }
    return trees;
  }
}
