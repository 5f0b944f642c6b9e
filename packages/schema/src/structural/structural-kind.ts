import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { BudgetError, budgetOf } from '../pattern/budget.ts';
import type { Check, CheckContext, SchemaRef, StructSchema } from '../schema.ts';
import { noPast } from './correlation.ts';
import { EmbeddedRules } from './embedded-rules.ts';
import { ListRules } from './list-rules.ts';
import { RuleWalk, type Visit } from './rule-walk.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { compilePart } from './value-rules.ts';

/** Steps that validating one object may take: about a second of work. Usual objects take some thousand. */
const MAX_STEPS = 50_000_000;

/** Makes the schema on first use; later calls return the same one. */
export type LazyStructural = () => StructuralSchema;

/** A custom kind: what it is called, and the schema that its definition gives. */
export interface StructuralKind {
  /** Schema name, neutral, unique among all kinds and versions. */
  readonly name: string;
  readonly doc: string;
  /** Schema of the metadata of objects. */
  readonly metadata: SchemaRef;
  readonly structural: LazyStructural;
}

/** Checks values by one structural schema, which is compiled on first use. */
export class StructuralValidator {
  readonly #schema: LazyStructural;
  #visit: Visit | undefined;
  readonly #lists = new ListRules();
  #embedded: EmbeddedRules | undefined;

  constructor(schema: LazyStructural) {
    this.#schema = schema;
  }

  /** The violations of a whole object; on an update those that it brings. */
  check(value: CheckContext['root'], old: CheckContext['old'], names: Names): readonly FieldError[] {
    const schema = this.#schema();
    this.#visit ??= compilePart(schema);
    this.#embedded ??= new EmbeddedRules(names);
    const walk = new RuleWalk(budgetOf(MAX_STEPS));
    try {
      this.#visit(value, old ?? noPast, walk);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return [fieldError.forbidden('', 'the object takes too much work to check against its schema')];
    }
    return [
      ...walk.errors(),
      ...this.#embedded.check(value, schema),
      ...this.#checkLists(value, old, schema),
    ];
  }

  /** Items that are repeated are allowed where the old object had some. */
  #checkLists(
    value: CheckContext['root'],
    old: CheckContext['old'],
    schema: StructuralSchema,
  ): readonly FieldError[] {
    const errors = this.#lists.check(value, schema);
    return errors.length > 0 && old !== undefined && this.#lists.check(old, schema).length > 0 ? [] : errors;
  }
}

/**
 * The runtime schema of a custom kind. Metadata and type are as in every kind; all other members follow the structural
 * schema, which may also restrict the name.
 */
export function structuralKind({ name, doc, metadata, structural }: StructuralKind): StructSchema {
  const validator = new StructuralValidator(structural);
  const check: Check = (value, { names, old }) => validator.check(value, old, names);
  return {
    kind: 'struct',
    name,
    doc,
    typeMeta: true,
    fields: [{ name: 'metadata', num: 0, schema: metadata, presence: 'always', doc: 'Standard metadata.' }],
    rest: structural,
    checks: [check],
  };
}
