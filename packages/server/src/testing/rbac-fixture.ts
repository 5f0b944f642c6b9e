import { rbacAccess } from '@orch/registry/testing';
import { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';

/** The API in process, where roles decide. Users say who they are: `x-user: jane`, `x-groups: a,b`. */
export const openWithRbac = (options: ApiFixtureOptions = {}): Promise<ApiFixture> =>
  ApiFixture.open({ ...options, accessOf: rbacAccess });
