export type { Cause, CauseType, ObjectPlace, Resolution } from './answer/cause.ts';
export { type Explanation, type ExplanationOptions, explanationRoutes } from './explanation-routes.ts';
export type { PeerAnswer, PeerQuestion, Peers, ReplicaName } from './requests/peers.ts';
export { ALL_REQUESTS_PATH, type RememberedRequests } from './requests/recent-requests.ts';
export type { ExplainedRequest, ExplainedStage } from './requests/request-causes.ts';
