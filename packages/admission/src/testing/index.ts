export type { PolicyParts } from '../policies/policy-parts.ts';
export { validatingAdmissionPolicy } from '../policies/validating-admission-policy.ts';
export { mutatingAdmissionWebhook } from '../webhooks/mutating-webhooks.ts';
export { validatingAdmissionWebhook } from '../webhooks/validating-webhooks.ts';
export type { WebhookParts } from '../webhooks/webhook-parts.ts';
export { podSecurityViolations } from './pod-security-violations.ts';
