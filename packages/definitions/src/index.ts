export { DefinitionController, type DefinitionControllerOptions } from './definition-controller.ts';
export { ServedDefinitions, type ServedDefinitionsOptions } from './served-definitions.ts';
export type {
  OpenWebhook,
  WebhookAddress,
  WebhookCall,
  WebhookService,
} from './webhook/conversion-webhook.ts';
