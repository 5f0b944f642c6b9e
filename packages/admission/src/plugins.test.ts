import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { ConfigValue, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { pluginNames } from './plugin-names.ts';
import { isImplemented, type PluginParts, pluginsOf } from './plugins.ts';
import { MemoryQuotaStore } from './testing/memory-quota-store.ts';

/** Of the plugins that require a configuration. */
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
  restrictsCriticalPods: false,
  hasPodOverhead: true,
  mountsTokenSecrets: false,
  release: '1.24',
  hasPodSecurity: true,
  openWebhook: () => Object.assign(async () => ({}), { [Symbol.dispose]: () => {} }),
  readFile: () => '',
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
});
