export * from './api-fixture.ts';
export { openWithRbac } from './rbac-fixture.ts';
