export { rbacAccess } from './rbac-access.ts';
export * from './registry-fixture.ts';
