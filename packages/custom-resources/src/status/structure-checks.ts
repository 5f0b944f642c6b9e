import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { Names } from '@orch/machinery';
import { atOnce, type Turns } from '@orch/machinery/concurrency';
import type { DefinitionCondition } from '../definition/condition.ts';
import { nonStructuralCondition } from '../definition/conditions.ts';

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

  /** Reports whether the definition was checked as it is, so that `conditionOf` takes no time. */
  has(definition: CustomResourceDefinition): boolean {
    return this.#known(definition) !== undefined;
  }

  /** The condition of a definition whose schemas are not structural; undefined for all others. */
  conditionOf(definition: CustomResourceDefinition): DefinitionCondition | undefined {
    const known = this.#known(definition);
    if (known !== undefined) return known.condition;
    return this.#keep(definition, atOnce(nonStructuralCondition(definition, this.#names)));
  }

  /** Checks the definition in turns, so that the next call of `conditionOf` takes no time. */
  async prepare(definition: CustomResourceDefinition, turns: Turns): Promise<void> {
    if (this.#known(definition) !== undefined) return;
    this.#keep(definition, await turns.run(nonStructuralCondition(definition, this.#names)));
  }

  #known({ metadata: { name = '', uid, generation } }: CustomResourceDefinition): CheckedSpec | undefined {
    const known = this.#checked.get(name);
    return known?.uid === uid && known?.generation === generation ? known : undefined;
  }

  #keep(
    { metadata: { name = '', uid, generation } }: CustomResourceDefinition,
    condition: DefinitionCondition | undefined,
  ): DefinitionCondition | undefined {
    this.#checked.set(name, { uid, generation, condition });
    return condition;
  }

  /** Must be called when a definition is gone. */
  delete(name: string): void {
    this.#checked.delete(name);
  }
}
