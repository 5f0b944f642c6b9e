import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { validateFormat } from '@orch/machinery/formats';
import { type JsonObject, jsonEquals } from '@orch/machinery/json';
import { budgetOf } from '@orch/schema';
import type { StrategyContext } from '../../../resource-type.ts';
import { schemaOf, storedVersionsOf, versionsOf } from '../definition.ts';
import { checkSchema, type SchemaFindings } from '../schema/check-schema.ts';
import { checkSize } from '../schema/definition-size.ts';
import { PatternCheck } from '../schema/pattern-check.ts';
import { hasDefault, hasUnknownType, someOf } from '../schema/schema-facts.ts';
import { checkApproval } from './api-approval.ts';
import { checkColumn, unprintableTitles } from './columns.ts';
import { checkConversion } from './conversion.ts';
import { checkKinds, checkRequestedNames } from './names.ts';
import { type OlderView, olderView } from './older-view.ts';
import { checkSelectableFields } from './selectable-fields.ts';
import { checkStoredVersions } from './stored-versions.ts';
import { checkSubresources } from './subresources.ts';
import { type SchemaFaults, type ValidationOptions, validationOptionsOf } from './validation-options.ts';
import { checkVersions } from './versions.ts';

/** Maximum number of steps for checking the schemas of one definition; legitimate ones take some thousand. */
const MAX_STEPS = 300_000;

const schemasOf = (definition: CustomResourceDefinition): readonly JsonObject[] =>
  versionsOf(definition)
    .map(schemaOf)
    .filter((schema) => schema !== undefined);

/** Violations of the stored definition are tolerated in its successor. */
function* faultsOf(definition: CustomResourceDefinition, names: Names): Work<SchemaFaults> {
  const schemas = schemasOf(definition);
  const rules = {
    structural: true,
    knownTypes: false,
    allowsDefaults: true,
    hasStatus: false,
    prunedDefaults: false,
    expressions: false,
  };
  const budget = budgetOf(MAX_STEPS);
  const findings: SchemaFindings[] = [];
  for (const schema of schemas)
    findings.push(yield* checkSchema(schema, '', rules, { names, budget, patterns: undefined }));
  return {
    isStructural: findings.every(({ isStructural }) => isStructural),
    hasKnownTypes: !(yield* someOf(schemas, hasUnknownType)),
    hasPrunedDefaults: findings.every(({ hasPrunedDefaults }) => hasPrunedDefaults),
    hasDefaults: yield* someOf(schemas, hasDefault),
  };
}

function checkGroup(group: string): readonly FieldError[] {
  const path = 'spec.group';
  if (group === '') return [fieldError.required(path)];
  const wrong = validateFormat('crdGroup', group);
  return wrong === undefined ? [] : [fieldError.invalid(path, group, wrong)];
}

function checkName(
  { metadata: { name = '' } }: CustomResourceDefinition,
  plural: string,
  group: string,
): readonly FieldError[] {
  if (name === '' || name === `${plural}.${group}`) return [];
  return [fieldError.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

/** The older version of the kind has the first version in a separate field, whose errors are reported too. */
function checkFirstVersion(definition: CustomResourceDefinition): readonly FieldError[] {
  const name = versionsOf(definition)[0]?.name ?? '';
  const wrong = name === '' ? undefined : validateFormat('dns1035label', name);
  return wrong === undefined ? [] : [fieldError.invalid('spec.version', name, wrong)];
}

/** Fields on which paths of stored objects or clients depend once the resource is served. */
function checkImmutable(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition,
  { established }: ValidationOptions,
): readonly FieldError[] {
  const now = next.spec ?? {};
  const before = old.spec ?? {};
  const names = now.names ?? {};
  const oldNames = before.names ?? {};
  const fixed: readonly (readonly [path: string, value: unknown, was: unknown])[] = [
    ...(established
      ? ([
          ['spec.scope', now.scope, before.scope],
          ['spec.names.kind', names.kind, oldNames.kind],
        ] as const)
      : []),
    ['spec.group', now.group, before.group],
    ['spec.names.plural', names.plural, oldNames.plural],
  ];
  return fixed.flatMap(([path, value, was]) =>
    value === was ? [] : [fieldError.invalid(path, value, 'field is immutable')],
  );
}

/** The consequences of pruning or preserving unknown fields. */
function* checkPruning(
  definition: CustomResourceDefinition,
  options: ValidationOptions,
  names: Names,
): Work<readonly FieldError[]> {
  const spec = definition.spec ?? {};
  if (spec.preserveUnknownFields !== true) return [];
  const path = 'spec.preserveUnknownFields';
  const errors: FieldError[] = [];
  if (options.prunes) {
    const why = `cannot set to true, set ${names.schemaExtensions.preserveUnknownFields} to true in the schema instead`;
    errors.push(fieldError.invalid(path, true, why));
  } else if (options.allowsDefaults && (yield* someOf(schemasOf(definition), hasDefault)))
    errors.push(fieldError.invalid(path, true, 'must be false in order to use defaults in the schema'));
  const strategy = spec.conversion?.strategy ?? 'None';
  if (strategy !== 'None') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    errors.push(fieldError.invalid('spec.conversion.strategy', strategy, why));
  }
  return errors;
}

/** Checks for versions without a schema: invalid in v1, and wherever everything would be pruned. */
function checkPresence(
  definition: CustomResourceDefinition,
  options: ValidationOptions,
): readonly FieldError[] {
  const prunes = definition.spec?.preserveUnknownFields !== true;
  return versionsOf(definition).flatMap((version, i) => {
    if (schemaOf(version) !== undefined) return [];
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (options.schemas) return [fieldError.required(path, 'schemas are required')];
    return prunes && version.served === true
      ? [fieldError.required(path, 'because otherwise all fields are pruned')]
      : [];
  });
}

const usesExtension = (names: Names) => {
  const prefix = names.schemaExtensions.listType.slice(0, -'list-type'.length);
  return (schema: JsonObject): boolean => Object.keys(schema).some((field) => field.startsWith(prefix));
};

/** Checks that schemas are structural wherever a feature depends on it. */
function* needsStructure(
  definition: CustomResourceDefinition,
  options: ValidationOptions,
  names: Names,
): Work<boolean> {
  if (options.structural || definition.spec?.preserveUnknownFields !== true) return true;
  const builds = usesExtension(names);
  return yield* someOf(
    schemasOf(definition),
    (one) => builds(one) || (options.allowsDefaults && hasDefault(one)),
  );
}

/** A schema that a write has to check. */
interface SchemaToCheck {
  readonly schema: JsonObject;
  readonly path: string;
  readonly hasStatus: boolean;
  /** Whether the stored definition does not have it. */
  readonly isNew: boolean;
}

/**
 * The schemas of a definition that a write has to check: all except those that the stored one has under the same rules.
 * These were checked when they were stored, and stay valid even if they exceed the current limits of sizes and costs.
 */
function schemasToCheck(
  view: OlderView,
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly SchemaToCheck[] {
  const stored = new Map(versionsOf(old ?? {}).map(({ name, schema }) => [name, schema]));
  const hadStatus = new Map(
    (old === undefined ? [] : olderView(versionsOf(old)).schemas).flatMap(({ hasStatus, versions }) =>
      versions.map((version) => [version, hasStatus]),
    ),
  );
  const prunesAlike = next.spec?.preserveUnknownFields === old?.spec?.preserveUnknownFields;
  return view.schemas.flatMap(({ hasStatus, path, value, versions }) => {
    const { openAPIV3Schema: schema } = value;
    if (schema === undefined) return [];
    const isNew = versions.some((version) => !jsonEquals(stored.get(version), value));
    const hasSameRules = prunesAlike && versions.every((version) => hadStatus.get(version) === hasStatus);
    return isNew || !hasSameRules ? [{ schema, path: `${path}.openAPIV3Schema`, hasStatus, isNew }] : [];
  });
}

function* checkSchemas(
  schemas: readonly SchemaToCheck[],
  next: CustomResourceDefinition,
  options: ValidationOptions,
  names: Names,
): Work<readonly FieldError[]> {
  const tooLarge = yield* checkSize(
    schemas.filter(({ isNew }) => isNew),
    names,
  );
  if (tooLarge.length > 0) return tooLarge;
  const limits = { names, budget: budgetOf(MAX_STEPS), patterns: new PatternCheck() };
  const structural = yield* needsStructure(next, options, names);
  const { knownTypes, allowsDefaults, prunedDefaults } = options;
  const rules = { structural, knownTypes, allowsDefaults, prunedDefaults };
  const errors: FieldError[] = [];
  for (const { hasStatus, isNew: expressions, path, schema } of schemas) {
    const found = yield* checkSchema(schema, path, { ...rules, expressions, hasStatus }, limits);
    errors.push(...found.errors);
  }
  return errors;
}

/** As `validateDefinition`, with pauses for other work. */
export function* definitionValidation(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { names, requestVersion, hasHooks = false }: StrategyContext,
): Work<readonly FieldError[]> {
  const spec = next.spec ?? {};
  const group = spec.group ?? '';
  const requested = spec.names ?? {};
  const view = olderView(versionsOf(next));
  const keptTitles = unprintableTitles(
    old === undefined ? [] : olderView(versionsOf(old)).columns.map(({ value }) => value),
  );
  const schemas = schemasToCheck(view, next, old);
  const needsFaults = schemas.length > 0 || spec.preserveUnknownFields === true;
  const faults = old === undefined || !needsFaults ? undefined : yield* faultsOf(old, names);
  const options = validationOptionsOf(old, requestVersion, faults);
  return [
    ...(old === undefined
      ? checkName(next, requested.plural ?? '', group)
      : checkImmutable(next, old, options)),
    ...checkGroup(group),
    ...checkPresence(next, options),
    ...(yield* checkPruning(next, options, names)),
    ...checkVersions(versionsOf(next)),
    ...checkFirstVersion(next),
    ...checkRequestedNames('spec.names', requested),
    ...(yield* checkSchemas(schemas, next, options, names)),
    ...view.subresources.flatMap(({ path, value }) => checkSubresources(path, value)),
    ...view.columns.flatMap(({ path, value }) => checkColumn(path, value, keptTitles)),
    ...(yield* checkSelectableFields(next, old, names)),
    ...checkConversion(spec.conversion ?? {}, options.knownReviewVersions),
    ...checkStoredVersions(
      storedVersionsOf(next),
      versionsOf(next),
      old === undefined || !hasHooks ? [] : versionsOf(old),
    ),
    ...(options.approval ? checkApproval(next, old, group, names) : []),
  ];
}

/** Rules of a definition as a whole that its own schema cannot express (facts: CustomResourceDefinition). */
export const validateDefinition = (
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  context: StrategyContext,
): readonly FieldError[] => atOnce(definitionValidation(next, old, context));

/** Validates the fields of a definition that the system writes. */
export const validateDefinitionStatus = (next: CustomResourceDefinition): readonly FieldError[] => [
  ...checkKinds('status.acceptedNames', next.status?.acceptedNames ?? {}),
  ...checkStoredVersions(storedVersionsOf(next), versionsOf(next)),
];
