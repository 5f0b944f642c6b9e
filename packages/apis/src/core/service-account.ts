import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, StrategyContext, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';
import { LocalObjectReference, ObjectReference } from './shared/references.ts';

export const ServiceAccount = struct(
  'core.v1.ServiceAccount',
  'An identity for programs that run in pods.',
  {
    metadata: metadataField,
    secrets: f.list(2, ObjectReference, {
      doc: 'Secrets that pods of this account may use.',
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
    imagePullSecrets: f.list(3, LocalObjectReference, {
      doc: 'Secrets with credentials for image registries, for pods that name none.',
    }),
    automountServiceAccountToken: f.bool(4, {
      doc: 'Whether a token is mounted into pods; a pod can override it.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);

/** Keeps only the names of referenced secrets, which are in the namespace of the account. */
function keepNamesOfSecrets(next: Draft<core.ServiceAccount>): void {
  if (next.secrets !== undefined)
    next.secrets = next.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

/** Warns of a new annotation that limits the secrets of pods. */
function secretAnnotationWarnings(
  { metadata }: core.ServiceAccount,
  old: core.ServiceAccount | undefined,
  { names, since }: StrategyContext,
): readonly string[] {
  const { enforceMountableSecrets: key } = names.annotations;
  const isNew = metadata.annotations?.[key] !== undefined && old?.metadata.annotations?.[key] === undefined;
  return isNew && since('1.32')
    ? [
        `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    : [];
}

const serviceAccountTable: TableDefinition<core.ServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: (account) => [nameCell(account), ageCell(account)],
};

/** Before 1.35 accounts showed their secrets, which tokens of pods have replaced. */
const earlierServiceAccountTable: TableDefinition<core.ServiceAccount> = {
  columns: [nameColumn, column('Secrets', 'Number of secrets that its pods may use.'), ageColumn],
  cells: (account) => [nameCell(account), (account.secrets ?? []).length, ageCell(account)],
};

export const serviceAccounts: ResourceType = defineResource({
  group: '',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  shortNames: ['sa'],
  versions: [{ version: 'v1', schema: ServiceAccount }],
  table: serviceAccountTable,
  strategy: strategyOf<core.ServiceAccount>({
    deleteReturns: 'object',
    prepareForCreate: keepNamesOfSecrets,
    prepareForUpdate: keepNamesOfSecrets,
    warnings: secretAnnotationWarnings,
  }),
  subresources: [
    {
      name: 'token',
      kind: { group: 'authentication', version: 'v1', kind: 'TokenRequest' },
      verbs: ['create'],
      behaviour: 'token',
    },
  ],
  earlier: [{ before: '1.35', change: { table: earlierServiceAccountTable } }],
});
