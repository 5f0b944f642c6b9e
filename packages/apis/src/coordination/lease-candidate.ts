import type * as coordination from '@orch/kinds/coordination';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { textField } from '../field-reader.ts';
import { metadataField, specField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';
import { checkFormat } from '../validation-rules.ts';

const OLDEST = 'OldestEmulationVersion';
const semantic =
  /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})(?:-[\w.-]{1,200})?(?:\+[\w.-]{1,200})?$/;

/** Major, minor and patch number; undefined for text that is not a semantic version. */
function versionOf(text: string): readonly number[] | undefined {
  const parts = semantic.exec(text);
  return parts === null ? undefined : parts.slice(1, 4).map(Number);
}

const precedes = (a: readonly number[], b: readonly number[]): boolean => {
  const differing = a.findIndex((part, i) => part !== b[i]);
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0);
};

function checkVersion(path: string, text: string): readonly FieldError[] {
  if (text === '' || versionOf(text) !== undefined) return [];
  return [fieldError.invalid(path, text, 'must be a valid semantic version')];
}

/** Checks that versions are semantic ones, and that a binary does not emulate a later version. */
const checkCandidate: Check<coordination.LeaseCandidateSpecV1beta1> = (spec, { path }) => {
  const { binaryVersion = '', emulationVersion = '', strategy = '' } = spec;
  const errors = [
    ...checkVersion(`${path}.emulationVersion`, emulationVersion),
    ...checkVersion(`${path}.binaryVersion`, binaryVersion),
  ];
  const [binary, emulated] = [versionOf(binaryVersion), versionOf(emulationVersion)];
  if (binary !== undefined && emulated !== undefined && precedes(binary, emulated)) {
    const why = 'must be greater than or equal to `emulationVersion`';
    errors.push(fieldError.invalid(`${path}.binaryVersion`, binaryVersion, why));
  }
  if (strategy === OLDEST && emulationVersion === '') {
    const why = `must be specified when \`strategy\` is '${OLDEST}'`;
    errors.push(fieldError.required(`${path}.emulationVersion`, why));
  }
  if (strategy === '' || strategy === OLDEST) return errors;
  if (!strategy.includes('/'))
    return [...errors, fieldError.notSupported(`${path}.strategy`, strategy, [OLDEST])];
  return [...errors, ...checkFormat('qualifiedName', `${path}.strategy`, strategy)];
};

const LeaseCandidateSpec = struct(
  'coordination.v1beta1.LeaseCandidateSpec',
  'The lease that a candidate would hold, and the versions of the candidate.',
  {
    leaseName: f.string(1, {
      doc: 'Lease for which it stands.',
      presence: 'always',
      required: true,
      immutable: true,
    }),
    pingTime: f.microTime(2, {
      doc: 'When the candidate was last asked whether it is alive.',
      presence: 'pointer',
    }),
    renewTime: f.microTime(3, { doc: 'When the candidate last answered.', presence: 'pointer' }),
    binaryVersion: f.string(4, { doc: 'Version of its program.', presence: 'always', required: true }),
    emulationVersion: f.string(5, { doc: 'Version that it emulates.' }),
    strategy: f.string(6, {
      doc: 'How the holder is chosen, such as OldestEmulationVersion.',
      required: true,
    }),
  },
  { checks: [checkCandidate] },
);

export const LeaseCandidate = struct(
  'coordination.v1beta1.LeaseCandidate',
  'A candidate of a coordinated election for a lease.',
  {
    metadata: metadataField,
    spec: specField(LeaseCandidateSpec),
  },
  { typeMeta: true },
);

const leaseCandidateTable: TableDefinition<coordination.LeaseCandidateV1beta1> = {
  columns: [
    nameColumn,
    column('LeaseName', 'Lease for which it stands.'),
    column('BinaryVersion', 'Version of its program.'),
    column('EmulationVersion', 'Version that it emulates.'),
    ageColumn,
  ],
  cells(candidate) {
    const { leaseName = '', binaryVersion = '', emulationVersion = '' } = candidate.spec ?? {};
    return [nameCell(candidate), leaseName, binaryVersion, emulationVersion, ageCell(candidate)];
  },
};

export const leaseCandidates: ResourceType = defineResource({
  group: 'coordination',
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  namespaced: true,
  nameFormat: 'configMapKey',
  versions: [
    {
      version: 'v1beta1',
      schema: LeaseCandidate,
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      servedByDefault: false,
    },
    {
      version: 'v1alpha2',
      schema: LeaseCandidate,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      replacement: 'none',
    },
  ],
  table: leaseCandidateTable,
  strategy: strategyOf<coordination.LeaseCandidateV1beta1>({
    createOnUpdate: true,
    unconditionalUpdate: false,
  }),
  fields: { 'spec.leaseName': textField('spec.leaseName') },
});
