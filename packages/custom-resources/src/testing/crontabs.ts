import assert from 'node:assert/strict';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered, RegistryFixture, RegistryFixtureOptions } from '@orch/registry/testing';
import { CustomResourcesFixture } from './custom-resources-fixture.ts';

/** A definition of a custom resource, objects of it, and a server that serves them. */
export const GROUP = 'stable.example.com';
export const DEFINITION_VERSION = namesFor('orch').apiVersion('apiextensions', 'v1');
export const DEFINITIONS = `/apis/${DEFINITION_VERSION}/customresourcedefinitions`;
export const crontabs = (name = '', version = 'v1', below = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}${below}`;

export const spec = {
  type: 'object',
  properties: {
    cronSpec: { type: 'string', pattern: '^[^ ]+$' },
    replicas: { type: 'integer', minimum: 1, default: 1 },
  },
  required: ['cronSpec'],
};
export const status = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
};
export const schemaOf = (properties: object): object => ({
  openAPIV3Schema: { type: 'object', properties },
});

export const v1 = {
  name: 'v1',
  served: true,
  storage: true,
  schema: schemaOf({ spec, status }),
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [{ name: 'Spec', type: 'string', jsonPath: '.spec.cronSpec' }],
};

export interface Version {
  readonly name: string;
  readonly [field: string]: unknown;
}

export const definition = (
  versions: readonly Version[] = [v1],
  names: object = {},
  name = `crontabs.${GROUP}`,
): object => ({
  apiVersion: DEFINITION_VERSION,
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'], ...names },
    versions,
  },
});

export const crontab = (name: string, cronSpec = '*', version = 'v1'): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'CronTab',
  metadata: { name },
  spec: { cronSpec },
});

/** Conditions of a definition: `Established=True`. */
export const conditionsOf = ({ json }: Answered): readonly string[] =>
  (json.status?.conditions ?? []).map((one: Record<string, string>) => `${one['type']}=${one['status']}`);

export async function established(
  api: Pick<RegistryFixture, 'get'>,
  name = `crontabs.${GROUP}`,
): Promise<void> {
  await until(
    async () => conditionsOf(await api.get(`${DEFINITIONS}/${name}`)).includes('Established=True'),
    `${name} is established`,
  );
}

/** Creates the definition of cron tabs in a server, which then serves them. */
export async function defineCronTabs<Api extends Pick<RegistryFixture, 'get' | 'post'>>(
  api: Api,
  versions?: readonly Version[],
): Promise<Api> {
  const created = await api.post(DEFINITIONS, definition(versions));
  assert.equal(created.status, 201, created.text);
  await established(api);
  return api;
}

/** A server of cron tabs. */
export const withCronTabs = async (
  options: RegistryFixtureOptions = {},
  versions?: readonly Version[],
): Promise<CustomResourcesFixture> => defineCronTabs(await CustomResourcesFixture.open(options), versions);
