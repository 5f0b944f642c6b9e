import { builtinResources, type Client, type ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { webhookNames } from '../world/admission-webhooks.ts';
import { guardedNamespace } from './submission-history.ts';

type Creation = readonly [ResourceClient<ApiObject>, ApiObject];

/** How long a server waits for a webhook, in seconds. */
const TIMEOUT = 2;
const selector = { matchLabels: { guarded: 'yes' } };
const rule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
  scope: '*',
};

/** The objects that guard a namespace, in the order of their creation. */
export function guardConfigurations(client: Client): {
  readonly namespaces: readonly Creation[];
  readonly configurations: readonly Creation[];
} {
  const { core, admissionregistration } = builtinResources(client.names);
  const { v1 } = admissionregistration;
  const of = (resource: Parameters<Client['resource']>[0]): ResourceClient<ApiObject> =>
    client.resource<ApiObject>(resource as Parameters<typeof client.resource<ApiObject>>[0]);
  const [stamping, ...validating] = webhookNames.map(webhookOf);
  const policyName = 'limited';
  const paramRef = { name: 'limit', namespace: 'rules', parameterNotFoundAction: 'Deny' };
  const validations = [{ expression: 'int(object.data.value) <= int(params.data.most)' }];
  const metadata = { name: policyName };
  return {
    namespaces: [
      [of(core.v1.namespaces), { metadata: { name: guardedNamespace, labels: selector.matchLabels } }],
      [of(core.v1.namespaces), { metadata: { name: 'rules' } }],
    ],
    configurations: [
      [of(v1.mutatingwebhookconfigurations), { metadata, webhooks: [stamping] }],
      [of(v1.validatingwebhookconfigurations), { metadata, webhooks: validating }],
      [
        of(v1.validatingadmissionpolicies),
        {
          metadata,
          spec: {
            failurePolicy: 'Fail',
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            matchConstraints: { namespaceSelector: selector, resourceRules: [rule] },
            validations,
          },
        },
      ],
      [
        of(v1.validatingadmissionpolicybindings),
        { metadata, spec: { policyName, paramRef, validationActions: ['Deny'] } },
      ],
    ],
  };
}

const webhookOf = (name: (typeof webhookNames)[number]): object => ({
  name: `${name}.example.com`,
  clientConfig: { url: `https://${name}.example.com/review` },
  rules: [rule],
  namespaceSelector: selector,
  failurePolicy: name === 'lenient' ? 'Ignore' : 'Fail',
  sideEffects: 'None',
  timeoutSeconds: TIMEOUT,
  admissionReviewVersions: ['v1'],
});
