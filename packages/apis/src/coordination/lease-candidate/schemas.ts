import type * as coordination from '@orch/kinds/coordination';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, items, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { checkFormat } from '../../validation-rules.ts';

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
function checkVersions(
  path: string,
  {
    binaryVersion = '',
    emulationVersion = '',
  }: { readonly binaryVersion?: string; readonly emulationVersion?: string },
): readonly FieldError[] {
  const [binary, emulated] = [versionOf(binaryVersion), versionOf(emulationVersion)];
  return [
    ...checkVersion(`${path}.emulationVersion`, emulationVersion),
    ...checkVersion(`${path}.binaryVersion`, binaryVersion),
    ...(binary !== undefined && emulated !== undefined && precedes(binary, emulated)
      ? [
          fieldError.invalid(
            `${path}.binaryVersion`,
            binaryVersion,
            'must be greater than or equal to `emulationVersion`',
          ),
        ]
      : []),
  ];
}

function checkStrategy(path: string, strategy: string): readonly FieldError[] {
  if (strategy === '' || strategy === OLDEST) return [];
  return strategy.includes('/')
    ? checkFormat('qualifiedName', path, strategy)
    : [fieldError.notSupported(path, strategy, [OLDEST])];
}

const checkCandidate: Check<coordination.LeaseCandidateSpecV1beta1> = (spec, { path }) => {
  const { emulationVersion = '', strategy = '' } = spec;
  const why = `must be specified when \`strategy\` is '${OLDEST}'`;
  return [
    ...checkVersions(path, spec),
    ...(strategy === OLDEST && emulationVersion === ''
      ? [fieldError.required(`${path}.emulationVersion`, why)]
      : []),
    ...checkStrategy(`${path}.strategy`, strategy),
  ];
};

/** The fields that all versions have. */
const shared = {
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
} as const;

const emulationVersion = f.string(5, { doc: 'Version that it emulates.' });

const LeaseCandidateSpec = struct(
  'coordination.v1beta1.LeaseCandidateSpec',
  'The lease that a candidate would hold, and the versions of the candidate.',
  {
    ...shared,
    binaryVersion: f.string(4, { doc: 'Version of its program.', presence: 'always', required: true }),
    emulationVersion,
    strategy: f.string(6, {
      doc: 'How the holder is chosen, such as OldestEmulationVersion.',
      required: true,
      openapiRequired: true,
    }),
  },
  { checks: [checkCandidate] },
);

export const LeaseCandidate = struct(
  'coordination.v1beta1.LeaseCandidate',
  'A candidate of a coordinated election for a lease.',
  {
    metadata: metadataField,
    spec: specField(LeaseCandidateSpec, { openapiRequired: { since: '1.36', is: true } }),
  },
  { typeMeta: true },
);

const checkFirstCandidate: Check<coordination.LeaseCandidateSpecV1alpha1> = (spec, { path }) => {
  const { binaryVersion = '', preferredStrategies = [] } = spec;
  return [
    ...checkVersions(path, spec),
    ...preferredStrategies.flatMap((strategy, i) =>
      checkStrategy(`${path}.preferredStrategies[${i}]`, strategy),
    ),
    ...(preferredStrategies.includes(OLDEST) && binaryVersion === ''
      ? [fieldError.required(`${path}.binaryVersion`, `must be specified for '${OLDEST}'`)]
      : []),
  ];
};

const LeaseCandidateSpecV1Alpha1 = struct(
  'coordination.v1alpha1.LeaseCandidateSpec',
  'The lease that a candidate would hold, and what the candidate prefers.',
  {
    ...shared,
    binaryVersion: f.string(4, { doc: 'Version of its program.' }),
    emulationVersion,
    preferredStrategies: f.list(6, items.string, {
      doc: 'How the holder is chosen, the most preferred way first.',
      listType: 'atomic',
    }),
  },
  { checks: [checkFirstCandidate] },
);

export const LeaseCandidateV1Alpha1 = struct(
  'coordination.v1alpha1.LeaseCandidate',
  'A candidate of a coordinated election for a lease.',
  {
    metadata: metadataField,
    spec: specField(LeaseCandidateSpecV1Alpha1),
  },
  { typeMeta: true },
);
