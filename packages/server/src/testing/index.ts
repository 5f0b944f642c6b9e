export { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';
export { openWithRbac } from './rbac-fixture.ts';
