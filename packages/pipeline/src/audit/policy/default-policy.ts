import type { Names } from '@orch/machinery';
import type { AuditPolicy, AuditRule } from './policy.ts';

const anything: Omit<AuditRule, 'level'> = {
  users: [],
  userGroups: [],
  verbs: [],
  resources: [],
  namespaces: [],
  nonResourceURLs: [],
  omitStages: [],
};

/**
 * The default policy: metadata of all requests, objects of changes, and no content of
 * secrets and credentials.
 */
export function defaultAuditPolicy(names: Names): AuditPolicy {
  const all = { resourceNames: [] };
  return {
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      {
        ...anything,
        level: 'None',
        nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi*', '/swagger*'],
      },
      {
        ...anything,
        level: 'Metadata',
        resources: [
          { ...all, group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
          { ...all, group: names.group('authentication'), resources: ['tokenreviews'] },
        ],
      },
      // Tunnelled and proxied content may contain secrets.
      {
        ...anything,
        level: 'Metadata',
        resources: [
          {
            ...all,
            group: '',
            resources: ['*/proxy', '*/exec', '*/attach', '*/portforward', '*/log'],
          },
        ],
      },
      { ...anything, level: 'Metadata', verbs: ['get', 'list', 'watch'] },
      { ...anything, level: 'Request' },
    ],
  };
}
