import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { ApiError, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { ConfigValue } from '@orch/machinery/yaml';
import { pluginNames } from './plugin-names.ts';
import { isImplemented, type PluginParts, pluginsOf } from './plugins.ts';
import { MemoryQuotaStore } from './testing/memory-quota-store.ts';
import { testWrite } from './testing/plugin-calls.ts';
import { pluginFilesOf } from './testing/plugin-files.ts';
import { testResource } from './testing/versioned-resources.ts';
import type { AdmissionAttributes } from './types.ts';

/** Configurations of the plugins that require one. */
const required: Readonly<Record<string, object>> = {
  EventRateLimit: {
    apiVersion: 'eventratelimit.admission.orch.io/v1alpha1',
    kind: 'Configuration',
    limits: [{ type: 'Server', qps: 1, burst: 1 }],
  },
  ImagePolicyWebhook: { imagePolicy: { kubeConfigFile: 'backend.conf' } },
};

const parts: PluginParts = {
  ...testEnv(),
  configuration: (plugin) =>
    Object.hasOwn(required, plugin)
      ? ConfigValue.parse(JSON.stringify(required[plugin]), 'p.yaml')
      : undefined,
  openService: () => ({ query: async () => ({}) }),
  source: new MemoryObjectSource(),
  names: namesFor('orch'),
  authorizer: { authorize: () => ({ verdict: 'noOpinion', reason: '' }) },
  resourcesOf: () => [],
  objectsOf: () => undefined,
  createNamespace: async () => {},
  tolerationSeconds: { notReady: 300, unreachable: 300 },
  refusesSeveralDefaults: true,
  setsPreemptionPolicy: true,
  setsPriorityOfGroups: true,
  setsPreemptionPolicyOfGroups: true,
  protectsPodGroups: true,
  protectsVolumeAttributesClasses: true,
  restrictsAudiences: true,
  restrictsCriticalPods: false,
  hasPodOverhead: true,
  mountsTokenSecrets: false,
  release: '1.24',
  hasPodSecurity: true,
  openWebhook: () => Object.assign(async () => ({}), { [Symbol.dispose]: () => {} }),
  openFile: pluginFilesOf({}),
  ...testEnv(),
  hasMatchConditions: true,
  quotas: new MemoryQuotaStore(),
};

describe('catalogue of admission plugins', () => {
  it('every plugin has the name that flags use', () => {
    const plugins = pluginsOf(new Set(pluginNames), parts);
    assert.deepEqual(
      plugins.map(({ name }) => name),
      pluginNames.filter(isImplemented),
    );
  });

  it('plugins are called in the order of their names in the table, regardless of the order in which they are enabled', () => {
    const plugins = pluginsOf(new Set(['AlwaysDeny', 'CertificateApproval', 'AlwaysAdmit']), parts);
    assert.deepEqual(
      plugins.map(({ name }) => name),
      ['AlwaysAdmit', 'CertificateApproval', 'AlwaysDeny'],
    );
  });

  /** Posted objects and options of connections that have no metadata. */
  const withoutMetadata: readonly [string, Partial<AdmissionAttributes>][] = [
    ['a rollback', { operation: 'CREATE', group: 'apps', resource: 'deployments', subresource: 'rollback' }],
    ['an exec', { operation: 'CONNECT', resource: 'pods', subresource: 'exec' }],
    ['a proxied request', { operation: 'CONNECT', resource: 'services', subresource: 'proxy' }],
  ];
  for (const [title, target] of withoutMetadata) {
    it(`no plugin fails for ${title}, whose object has no metadata`, async () => {
      const { group = '', resource = '', subresource = '' } = target;
      const path = [group, 'v1', resource, subresource].filter((part) => part !== '').join('/');
      const write = testWrite({
        ...target,
        namespace: 'default',
        name: 'x',
        requested: testResource({ path, hasMetadata: false }),
        object: JSON.parse('{"kind": "Thing", "apiVersion": "v1", "name": "x"}'),
      });
      for (const plugin of pluginsOf(new Set(pluginNames), parts).filter((one) => one.handles(write))) {
        for (const phase of ['precheck', 'mutate', 'validate', 'reserve'] as const) {
          const outcome = (async () => plugin[phase]?.(write, { isSecond: false, request: () => {} }))();
          await outcome.catch((error: Error) =>
            assert.ok(error instanceof ApiError, `${plugin.name}: ${error.stack}`),
          );
        }
      }
    });
  }
});
