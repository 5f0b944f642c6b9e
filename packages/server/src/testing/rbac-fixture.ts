import { rbacAccess } from '@orch/registry/testing';
import { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';

/** The API in process with RBAC. Requests name their user in header fields: `x-user: jane`, `x-groups: a,b`. */
export const openWithRbac = (options: ApiFixtureOptions = {}): Promise<ApiFixture> =>
  ApiFixture.open({ ...options, accessOf: rbacAccess });
