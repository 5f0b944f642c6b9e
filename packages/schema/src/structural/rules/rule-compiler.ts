import type { DeclType } from '@orch/cel';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import type { StructuralSchema } from '../../structural-schema.ts';
import { type CompiledRule, compileRulesOf } from './compiled-rule.ts';
import { Declarations } from './declarations.ts';

/** Compiles the rules of a schema and of the schemas within it, each once for all that use them. */
export class RuleCompiler {
  readonly #declarations = new Declarations();
  readonly #rules = new Map<StructuralSchema, readonly CompiledRule[]>();

  /** The declaration of the values of a schema for expressions; undefined when expressions cannot read them. */
  declarationOf(schema: StructuralSchema, name: string, isResource?: boolean): DeclType | undefined {
    return this.#declarations.of(schema, name, isResource);
  }

  /** As `declarationOf`, in pieces. */
  declare(schema: StructuralSchema, name: string, isResource?: boolean): Work<DeclType | undefined> {
    return this.#declarations.declare(schema, name, isResource);
  }

  /** The rules of a schema, in declaration order; `decl` declares its values. */
  rulesOf(schema: StructuralSchema, decl: DeclType): readonly CompiledRule[] {
    return this.#rules.get(schema) ?? atOnce(this.compile(schema, decl));
  }

  /** As `rulesOf`, in pieces. */
  *compile(schema: StructuralSchema, decl: DeclType): Work<readonly CompiledRule[]> {
    let rules = this.#rules.get(schema);
    if (rules === undefined) {
      rules = yield* compileRulesOf(schema, decl);
      this.#rules.set(schema, rules);
    }
    return rules;
  }
}
