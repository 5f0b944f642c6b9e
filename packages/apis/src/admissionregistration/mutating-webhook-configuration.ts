import { defineResource } from '../define-resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { webhookConfigurationsV1Beta1 } from './shared/webhook-configuration/v1beta1.ts';
import {
  kinds,
  older,
  webhookConfigurationTable,
  webhookStrategy,
} from './shared/webhook-configuration/webhook-configuration.ts';

export const MutatingWebhookConfiguration = kinds.mutating;

export const mutatingWebhookConfigurations: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: MutatingWebhookConfiguration, introduced: '1.16' },
    { ...older, schema: webhookConfigurationsV1Beta1.mutating },
  ],
  table: webhookConfigurationTable,
  strategy: webhookStrategy,
});
