import { defineResource } from '../../../define-resource.ts';
import type { ResourceType } from '../../../resource-type.ts';
import { webhookStrategy } from './strategy.ts';
import { webhookConfigurationTable } from './table.ts';
import { sameMembers, webhookConfigurationsV1Beta1 } from './v1beta1.ts';
import { webhookConfigurationsOf } from './webhook.ts';

const kinds = webhookConfigurationsOf({
  version: 'v1',
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  timeoutSeconds: 10,
  sideEffects: { presence: 'always', nullable: true, openapiRequired: true },
  admissionReviewVersions: { presence: 'always' },
});

export const MutatingWebhookConfiguration = kinds.mutating;
export const ValidatingWebhookConfiguration = kinds.validating;

const older = {
  version: 'v1beta1',
  lens: sameMembers,
  introduced: '1.9',
  deprecated: '1.16',
  removed: '1.22',
} as const;

export const mutatingWebhookConfigurations: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  namespaced: false,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: MutatingWebhookConfiguration, introduced: '1.16' },
    { ...older, schema: webhookConfigurationsV1Beta1.mutating },
  ],
  table: webhookConfigurationTable,
  strategy: webhookStrategy,
});

export const validatingWebhookConfigurations: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  namespaced: false,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: ValidatingWebhookConfiguration, introduced: '1.16' },
    { ...older, schema: webhookConfigurationsV1Beta1.validating },
  ],
  table: webhookConfigurationTable,
  strategy: webhookStrategy,
});
