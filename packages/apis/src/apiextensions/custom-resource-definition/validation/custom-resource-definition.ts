import {
  type FieldError,
  fieldError,
  type JsonObject,
  jsonEquals,
  type Names,
  validateFormat,
} from '@orch/machinery';
import { budgetOf } from '@orch/schema';
import type { StrategyContext } from '../../../resource-type.ts';
import type { CustomResourceDefinition } from '../../../types/apiextensions.ts';
import { schemaOf, storedVersionsOf, versionsOf } from '../definition.ts';
import { checkSchema } from '../schema/check-schema.ts';
import { checkSize } from '../schema/definition-size.ts';
import { PatternCheck } from '../schema/pattern-check.ts';
import { hasDefault, hasUnknownType, someSchema } from '../schema/schema-facts.ts';
import { checkApproval } from './api-approval.ts';
import { checkColumn } from './columns.ts';
import { checkConversion } from './conversion.ts';
import { checkKinds, checkRequestedNames } from './names.ts';
import { type OlderView, olderView } from './older-view.ts';
import { checkSelectableFields } from './selectable-fields.ts';
import { checkStoredVersions } from './stored-versions.ts';
import { checkSubresources } from './subresources.ts';
import { type SchemaFaults, type ValidationOptions, validationOptionsOf } from './validation-options.ts';
import { checkVersions } from './versions.ts';

/** Steps that looking at the schemas of one definition may take; honest ones take some thousand. */
const MAX_STEPS = 300_000;

const schemasOf = (definition: CustomResourceDefinition): readonly JsonObject[] =>
  versionsOf(definition)
    .map(schemaOf)
    .filter((schema) => schema !== undefined);

/** What the stored definition was allowed, its successor is. */
function faultsOf(definition: CustomResourceDefinition, names: Names): SchemaFaults {
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
  const findings = schemas.map((schema) =>
    checkSchema(schema, '', rules, { names, budget, patterns: undefined }),
  );
  return {
    isStructural: findings.every(({ isStructural }) => isStructural),
    hasKnownTypes: !schemas.some((schema) => someSchema(schema, hasUnknownType)),
    hasPrunedDefaults: findings.every(({ hasPrunedDefaults }) => hasPrunedDefaults),
    hasDefaults: schemas.some((schema) => someSchema(schema, hasDefault)),
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

/** What paths of stored objects depend on, and what clients have begun to rely on once the resource is served. */
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

/** What follows from unknown fields being pruned, or not. */
function checkPruning(
  definition: CustomResourceDefinition,
  options: ValidationOptions,
): readonly FieldError[] {
  const spec = definition.spec ?? {};
  if (spec.preserveUnknownFields !== true) return [];
  const path = 'spec.preserveUnknownFields';
  if (options.prunes)
    return [
      fieldError.invalid(
        path,
        true,
        'cannot set to true, set x-preserve-unknown-fields to true in the schema instead',
      ),
    ];
  const errors: FieldError[] = [];
  if (options.allowsDefaults && schemasOf(definition).some((schema) => someSchema(schema, hasDefault)))
    errors.push(fieldError.invalid(path, true, 'must be false in order to use defaults in the schema'));
  if (spec.conversion?.strategy === 'Webhook') {
    const why = 'must be None if spec.preserveUnknownFields is true';
    errors.push(fieldError.invalid('spec.conversion.strategy', 'Webhook', why));
  }
  return errors;
}

/** Versions without a schema: wrong in v1, and wherever everything would be pruned. */
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

/** Schemas must be structural wherever a feature depends on it. */
function needsStructure(
  definition: CustomResourceDefinition,
  options: ValidationOptions,
  names: Names,
): boolean {
  if (options.structural || definition.spec?.preserveUnknownFields !== true) return true;
  const builds = usesExtension(names);
  return schemasOf(definition).some((schema) =>
    someSchema(schema, (one) => builds(one) || (options.allowsDefaults && hasDefault(one))),
  );
}

/** The schemas that a write brings, each with its path. */
const changedSchemas = (
  { schemas }: OlderView,
  isChanged: (placed: OlderView['schemas'][number]) => boolean,
): readonly { readonly schema: JsonObject; readonly path: string }[] =>
  schemas.flatMap((placed) => {
    const { openAPIV3Schema: schema } = placed.value;
    const path = `${placed.path}.openAPIV3Schema`;
    return schema !== undefined && isChanged(placed) ? [{ schema, path }] : [];
  });

function checkContent(
  {
    next,
    old,
  }: { readonly next: CustomResourceDefinition; readonly old: CustomResourceDefinition | undefined },
  options: ValidationOptions,
  names: Names,
): readonly FieldError[] {
  const view = olderView(versionsOf(next));
  const stored = new Map(versionsOf(old ?? {}).map((version) => [version.name, version.schema]));
  // Stored definitions stay valid even if they exceed the current limits of sizes and costs.
  const isChanged = ({ value, versions }: OlderView['schemas'][number]): boolean =>
    versions.some((version) => !jsonEquals(stored.get(version), value));
  const tooLarge = checkSize(changedSchemas(view, isChanged), names);
  if (tooLarge.length > 0) return tooLarge;
  const budget = budgetOf(MAX_STEPS);
  const patterns = new PatternCheck();
  const structural = needsStructure(next, options, names);
  const { knownTypes, allowsDefaults, prunedDefaults } = options;
  const rules = { structural, knownTypes, allowsDefaults, prunedDefaults };
  return [
    ...view.schemas.flatMap((placed) => {
      const { hasStatus, path, value } = placed;
      const { openAPIV3Schema } = value;
      if (openAPIV3Schema === undefined) return [];
      const expressions = isChanged(placed);
      return checkSchema(
        openAPIV3Schema,
        `${path}.openAPIV3Schema`,
        { ...rules, expressions, hasStatus },
        { names, budget, patterns },
      ).errors;
    }),
    ...view.subresources.flatMap(({ path, value }) => checkSubresources(path, value)),
    ...view.columns.flatMap(({ path, value }) => checkColumn(path, value)),
  ];
}

/** Rules of a definition as a whole that its own schema cannot express (facts: CustomResourceDefinition). */
export function validateDefinition(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { names, requestVersion }: StrategyContext,
): readonly FieldError[] {
  const options = validationOptionsOf(old, requestVersion, (definition) => faultsOf(definition, names));
  const spec = next.spec ?? {};
  const group = spec.group ?? '';
  const requested = spec.names ?? {};
  return [
    ...(old === undefined
      ? checkName(next, requested.plural ?? '', group)
      : checkImmutable(next, old, options)),
    ...checkGroup(group),
    ...checkPresence(next, options),
    ...checkPruning(next, options),
    ...checkVersions(versionsOf(next)),
    ...checkFirstVersion(next),
    ...checkRequestedNames('spec.names', requested),
    ...checkContent({ next, old }, options, names),
    ...checkSelectableFields(next, old, names),
    ...checkConversion(spec.conversion ?? {}, options.knownReviewVersions),
    ...checkStoredVersions(storedVersionsOf(next), versionsOf(next)),
    ...(options.approval ? checkApproval(next, old, group, names) : []),
  ];
}

/** What the system writes about a definition. */
export const validateDefinitionStatus = (next: CustomResourceDefinition): readonly FieldError[] => [
  ...checkKinds('status.acceptedNames', next.status?.acceptedNames ?? {}),
  ...checkStoredVersions(storedVersionsOf(next), versionsOf(next)),
];
