import { applyJsonPatch, applyMergePatch, PatchError } from '@orch/apply';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import { choiceFlag, textFlag, UsageError } from '@orch/program/flags';

const section = 'Flags';

export const overrideFlags = {
  overrides: textFlag({
    name: 'overrides',
    help: 'A patch of the object before it is created, as JSON or YAML.',
    section,
  }),
  overrideType: choiceFlag(
    { name: 'override-type', help: 'The type of the patch: merge or json.', section },
    ['merge', 'json'],
    'merge',
  ),
} as const;

/** The object with the patch of the flags. Throws a UsageError for one that cannot be applied. */
export function overridden(
  object: ApiObject,
  { overrides, overrideType }: { readonly overrides: string; readonly overrideType: 'merge' | 'json' },
): ApiObject {
  if (overrides === '') return object;
  try {
    const patch = parseYaml(Buffer.from(overrides));
    const result = overrideType === 'json' ? applyJsonPatch(object, patch) : applyMergePatch(object, patch);
    if (isJsonObject(result)) return result as unknown as ApiObject;
    throw new UsageError('--overrides must leave an object');
  } catch (error) {
    if (error instanceof PatchError || error instanceof YamlSyntaxError)
      throw new UsageError(`invalid --overrides: ${error.message}`);
    throw error;
  }
}
