export { as, bindRole, root, textsOf } from '@orch/explanations/testing';
export { admissionAnswer, admitting, patching, webhookEntry } from './admission-reviews.ts';
export { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';
export { convertGates, GATE_GROUP, gate1, gate2, gateDefinition, gatesPath } from './gate-definition.ts';
export { openWithRbac } from './rbac-fixture.ts';
export { bytesAt, overwrite } from './unreadable-objects.ts';
export { type AnswerReview, type Review, sendJson, WebhookServer } from './webhook-server.ts';
