import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { jsonEquals } from '@orch/machinery/json';
import { fieldAt, type StructuralSchema, structuralReading } from '@orch/schema';
import { schemaOf, versionsOf } from '../definition.ts';
import { sameInAll } from '../v1beta1.top-level.ts';

const MAX_FIELDS = 8;
/** Number of fields that are checked in a version that declares too many. */
const MAX_CHECKED = 100;
const scalars: ReadonlySet<string | undefined> = new Set(['string', 'boolean', 'integer']);
const scalarText =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/** Checks one field; `known` are the labels of the preceding ones. */
function checkField(
  jsonPath: string,
  path: string,
  schema: StructuralSchema,
  known: Set<string>,
): readonly FieldError[] {
  if (jsonPath === '') return [fieldError.required(path)];
  const found = fieldAt(schema, jsonPath, { allowsBrackets: false });
  if (typeof found === 'string') return [fieldError.invalid(path, jsonPath, `is an invalid path: ${found}`)];
  const label = JSON.stringify(found.steps.map(({ name }) => name));
  const errors: FieldError[] = [];
  if (found.steps[0]?.name === 'metadata')
    errors.push(fieldError.invalid(path, jsonPath, 'must not point to fields in metadata'));
  if (!scalars.has(found.schema?.type)) errors.push(fieldError.invalid(path, jsonPath, scalarText));
  if (known.has(label)) errors.push(fieldError.duplicate(path, jsonPath));
  known.add(label);
  return errors;
}

/** A version of a definition, with its dependencies. */
interface Declared {
  readonly path: string;
  readonly version: CustomResourceDefinitionVersion;
  /** The same version of the stored definition. */
  readonly before: CustomResourceDefinitionVersion | undefined;
  readonly names: Names;
}

function* checkVersion({ before, names, path, version }: Declared): Work<readonly FieldError[]> {
  const declared = version.selectableFields ?? [];
  if (declared.length === 0) return [];
  const schema = schemaOf(version);
  if (schema === undefined)
    return [fieldError.invalid(path, '', 'may only be set when the version has a schema')];
  const structural = yield* structuralReading(schema, names);
  const known = new Set<string>();
  const errors = declared
    .slice(0, MAX_CHECKED)
    .flatMap(({ jsonPath }, i) => checkField(jsonPath ?? '', `${path}[${i}].jsonPath`, structural, known));
  // Too many fields are tolerated when an update does not change them.
  if (known.size > MAX_FIELDS && !jsonEquals(declared, before?.selectableFields))
    errors.push(fieldError.tooMany(path, known.size, MAX_FIELDS));
  return errors;
}

/**
 * Checks that selectable fields are scalars declared by the schema of their version. Errors name
 * `spec.selectableFields` where all versions declare the same ones.
 */
export function* checkSelectableFields(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  names: Names,
): Work<readonly FieldError[]> {
  const versions = versionsOf(next);
  const isCommon = sameInAll(versions, 'selectableFields') !== undefined;
  const stored = new Map(versionsOf(old ?? {}).map((version) => [version.name, version]));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, version] of versions.entries()) {
    const path = isCommon ? 'spec.selectableFields' : `spec.versions[${i}].selectableFields`;
    errors.push(...(yield* checkVersion({ path, version, before: stored.get(version.name), names })));
  }
  return errors.filter(({ field, message }) => {
    const key = `${field}\n${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
