export {
  conditionsOf,
  crontab,
  crontabs,
  DEFINITION_VERSION,
  DEFINITIONS,
  defineCronTabs,
  definition,
  established,
  GROUP,
  schemaOf,
  spec,
  status,
  type Version,
  v1,
  withCronTabs,
} from './crontabs.ts';
export { CustomResourcesFixture } from './custom-resources-fixture.ts';
