import { type DefinitionCondition, nonStructuralCondition } from '@orch/custom-resources';
import type { ApiObject, Names } from '@orch/machinery';

interface CheckedSpec {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly condition: DefinitionCondition | undefined;
}

/**
 * Whether the schemas of definitions are structural, checked once for each generation of a definition: the check of a large
 * schema takes long, and a definition is reconciled several times before its spec changes.
 */
export class StructureChecks {
  readonly #names: Names;
  readonly #checked = new Map<string, CheckedSpec>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** The condition of a definition whose schemas are not structural; undefined for all others. */
  conditionOf(definition: ApiObject): DefinitionCondition | undefined {
    const { name = '', uid, generation } = definition.metadata;
    const known = this.#checked.get(name);
    if (known !== undefined && known.uid === uid && known.generation === generation) return known.condition;
    const condition = nonStructuralCondition(definition, this.#names);
    this.#checked.set(name, { uid, generation, condition });
    return condition;
  }

  /** Must be called when a definition is gone. */
  delete(name: string): void {
    this.#checked.delete(name);
  }
}
