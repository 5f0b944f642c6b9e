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
 * What is written down when no policy says: who did what and when, the objects of changes too, and never the content of
 * what is secret or holds credentials.
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
      // What passes through the server to a node or pod may hold anything.
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
