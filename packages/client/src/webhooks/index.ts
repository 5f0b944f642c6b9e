export { jsonDiff } from './json-diff.ts';
export type {
  AdmissionAnswer,
  AdmissionHandler,
  AdmissionRequest,
  AllowedWrite,
  ConversionHandler,
  DeniedWrite,
  GroupVersionKind,
  GroupVersionResource,
  WebhookCall,
} from './types.ts';
export { type WebhookServerOptions, webhookServer } from './webhook-server.ts';
