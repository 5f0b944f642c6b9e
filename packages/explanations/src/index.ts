export type { Cause } from './answer/cause.ts';
export { type Explanation, type ExplanationOptions, explanationRoutes } from './explanation-routes.ts';
export type { PeerAnswer, PeerQuestion, Peers, ReplicaName } from './requests/peers.ts';
export type { RememberedRequests } from './requests/recent-requests.ts';
