import type { ValidatingWebhookConfiguration } from '@orch/kinds/admissionregistration';
import { strategyOf } from '../../../define-resource.ts';
import type { Strategy, TableDefinition } from '../../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../../table.ts';
import { webhookWarnings } from '../warnings.ts';
import { sameFields } from './v1beta1.ts';
import { validateWebhooks } from './validation.ts';
import { webhookConfigurationsOf } from './webhook.ts';

export const kinds = webhookConfigurationsOf({
  version: 'v1',
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  sideEffects: { presence: 'always', nullable: true, openapiRequired: true },
  admissionReviewVersions: { presence: 'always' },
});

export const older = {
  version: 'v1beta1',
  lens: sameFields,
  introduced: '1.9',
  deprecated: '1.16',
  removed: '1.22',
} as const;

export const webhookConfigurationTable: TableDefinition<ValidatingWebhookConfiguration> = {
  columns: [nameColumn, column('Webhooks', 'Number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object) => [nameCell(object), (object.webhooks ?? []).length, ageCell(object)],
};

/** Both kinds of webhook configurations: any change of the webhooks is a new generation. */
export const webhookStrategy: Strategy<ValidatingWebhookConfiguration> = strategyOf({
  unconditionalUpdate: false,
  generation: 'spec',
  validate: (next, old, { requestVersion }) => validateWebhooks(next, old, requestVersion),
  warnings: webhookWarnings,
});
