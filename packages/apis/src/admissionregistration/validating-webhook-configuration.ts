import { defineResource } from '../define-resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { webhookConfigurationsV1Beta1 } from './shared/webhook-configuration/v1beta1.ts';
import {
  kinds,
  older,
  webhookConfigurationTable,
  webhookStrategy,
} from './shared/webhook-configuration/webhook-configuration.ts';

export const ValidatingWebhookConfiguration = kinds.validating;

export const validatingWebhookConfigurations: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: ValidatingWebhookConfiguration, introduced: '1.16' },
    { ...older, schema: webhookConfigurationsV1Beta1.validating },
  ],
  table: webhookConfigurationTable,
  strategy: webhookStrategy,
});
