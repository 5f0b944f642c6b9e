import type { CommandEntry } from '../../cli/command.ts';

/** Commands below `create`: each makes one object from its flags. */
export const generatorCommands: readonly CommandEntry[] = [
  {
    name: 'clusterrole',
    summary: 'Create a cluster role',
    load: async () => (await import('../generate/roles.ts')).clusterRole,
  },
  {
    name: 'clusterrolebinding',
    summary: 'Create a cluster role binding',
    load: async () => (await import('../generate/role-bindings.ts')).clusterRoleBinding,
  },
  {
    name: 'configmap',
    aliases: ['cm'],
    summary: 'Create a config map from files and literal values',
    load: async () => (await import('../generate/config-map.ts')).configMap,
  },
  {
    name: 'cronjob',
    aliases: ['cj'],
    summary: 'Create a cron job',
    load: async () => (await import('../generate/cron-job.ts')).cronJob,
  },
  {
    name: 'deployment',
    aliases: ['deploy'],
    summary: 'Create a deployment',
    load: async () => (await import('../generate/deployment.ts')).deployment,
  },
  {
    name: 'ingress',
    aliases: ['ing'],
    summary: 'Create an ingress',
    load: async () => (await import('../generate/ingress.ts')).ingress,
  },
  {
    name: 'job',
    summary: 'Create a job, also from a cron job',
    load: async () => (await import('../generate/job.ts')).job,
  },
  {
    name: 'namespace',
    aliases: ['ns'],
    summary: 'Create a namespace',
    load: async () => (await import('../generate/namespace.ts')).namespace,
  },
  {
    name: 'poddisruptionbudget',
    aliases: ['pdb'],
    summary: 'Create a pod disruption budget',
    load: async () => (await import('../generate/pod-disruption-budget.ts')).podDisruptionBudget,
  },
  {
    name: 'priorityclass',
    aliases: ['pc'],
    summary: 'Create a priority class',
    load: async () => (await import('../generate/priority-class.ts')).priorityClass,
  },
  {
    name: 'quota',
    aliases: ['resourcequota'],
    summary: 'Create a resource quota',
    load: async () => (await import('../generate/quota.ts')).quota,
  },
  {
    name: 'role',
    summary: 'Create a role',
    load: async () => (await import('../generate/roles.ts')).role,
  },
  {
    name: 'rolebinding',
    summary: 'Create a role binding',
    load: async () => (await import('../generate/role-bindings.ts')).roleBinding,
  },
  {
    name: 'secret',
    summary: 'Create a secret',
    commands: [
      {
        name: 'docker-registry',
        summary: 'Create a secret with the credentials of a registry',
        load: async () => (await import('../generate/secrets.ts')).dockerRegistrySecret,
      },
      {
        name: 'generic',
        summary: 'Create a secret from files and literal values',
        load: async () => (await import('../generate/secrets.ts')).genericSecret,
      },
      {
        name: 'tls',
        summary: 'Create a secret with a certificate and its key',
        load: async () => (await import('../generate/secrets.ts')).tlsSecret,
      },
    ],
  },
  {
    name: 'service',
    aliases: ['svc'],
    summary: 'Create a service',
    commands: [
      {
        name: 'clusterip',
        summary: 'Create a service with an address in the cluster',
        load: async () => (await import('../generate/services.ts')).clusterIpService,
      },
      {
        name: 'externalname',
        summary: 'Create a service that is an alias of a host',
        load: async () => (await import('../generate/services.ts')).externalNameService,
      },
      {
        name: 'loadbalancer',
        summary: 'Create a service with a load balancer',
        load: async () => (await import('../generate/services.ts')).loadBalancerService,
      },
      {
        name: 'nodeport',
        summary: 'Create a service with a port on each node',
        load: async () => (await import('../generate/services.ts')).nodePortService,
      },
    ],
  },
  {
    name: 'serviceaccount',
    aliases: ['sa'],
    summary: 'Create a service account',
    load: async () => (await import('../generate/service-account.ts')).serviceAccount,
  },
  {
    name: 'token',
    summary: 'Request a token of a service account',
    load: async () => (await import('../auth/token.ts')).createToken,
  },
];
