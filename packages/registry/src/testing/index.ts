export type { Answered, RequestParts } from './answers.ts';
export { noConnections, type ServedParts, servedParts } from './assembling.ts';
export { countingIterations } from './event-loop.ts';
export { kindsOf } from './kinds-of.ts';
export { configMap, deployment, pod } from './objects.ts';
export { rbacAccess } from './rbac-access.ts';
export { RegistryFixture, type RegistryFixtureOptions } from './registry-fixture.ts';
export type { Watching } from './watching.ts';
