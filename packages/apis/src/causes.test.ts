import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validatingAdmissionPolicies } from './admissionregistration/validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './admissionregistration/validating-admission-policy-binding/index.ts';
import { validatingWebhookConfigurations } from './admissionregistration/validating-webhook-configuration.ts';
import { customResourceDefinitions } from './apiextensions/custom-resource-definition/index.ts';
import { horizontalPodAutoscalers } from './autoscaling/horizontal-pod-autoscaler/index.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claim/index.ts';
import { services } from './core/service/index.ts';
import { flowSchemas } from './flowcontrol/flow-schema/index.ts';
import { priorityLevelConfigurations } from './flowcontrol/priority-level-configuration/index.ts';
import { ingresses } from './networking/ingress/index.ts';
import { networkPolicies } from './networking/network-policy/index.ts';
import { podDisruptionBudgets } from './policy/pod-disruption-budget/index.ts';
import { podSecurityPolicies } from './policy/pod-security-policy/index.ts';
import type { Release } from './release.ts';
import { deviceTaintRules } from './resource/device-taint-rule/index.ts';
import { resourceClaims } from './resource/resource-claim/index.ts';
import type { ResourceType } from './resource-type.ts';
import { volumeAttachments } from './storage/volume-attachment/index.ts';
import { writePath } from './testing/write-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object that a release refuses, and its errors. */
interface Refused {
  readonly title: string;
  readonly type: ResourceType;
  readonly release: Release;
  readonly object: Fields;
  readonly causes: readonly string[];
}

const metadata = { name: 'x' };
const anything = { rule: 'RunAsAny' };
const securityPolicy = (spec: Fields): Fields => ({
  metadata,
  spec: { seLinux: anything, supplementalGroups: anything, runAsUser: anything, fsGroup: anything, ...spec },
});
const webhook = {
  name: 'a.b.io',
  clientConfig: { service: { namespace: 'x', name: 'y' } },
  admissionReviewVersions: ['v1'],
};
const backend = (service: Fields): Fields => ({ metadata, spec: { defaultBackend: { service } } });
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] };
const level = (spec: Fields): Fields => ({ metadata, spec });
const definition = (...versions: readonly Fields[]): Fields => ({
  metadata: { name: 'foos.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
    versions: versions.map((version) => ({
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
      ...version,
    })),
  },
});

const refused: readonly Refused[] = [
  {
    title: 'more than two types of a network policy are one error',
    type: networkPolicies,
    release: '1.37',
    object: { metadata, spec: { podSelector: {}, policyTypes: ['a', 'b', 'c'] } },
    causes: ['FieldValueInvalid spec.policyTypes'],
  },
  {
    title: 'classes that a pod security policy allows are different, and its default class has a name',
    type: podSecurityPolicies,
    release: '1.24',
    object: securityPolicy({
      runtimeClass: { allowedRuntimeClassNames: ['a', 'a'], defaultRuntimeClassName: '' },
    }),
    causes: [
      'FieldValueDuplicate spec.runtimeClass.allowedRuntimeClassNames[1]',
      'FieldValueInvalid spec.runtimeClass.defaultRuntimeClassName',
      'FieldValueRequired spec.runtimeClass.allowedRuntimeClassNames',
    ],
  },
  {
    title: 'an empty effect of a webhook is unknown',
    type: validatingWebhookConfigurations,
    release: '1.24',
    object: { metadata, webhooks: [{ ...webhook, sideEffects: '' }] },
    causes: ['FieldValueNotSupported webhooks[0].sideEffects'],
  },
  {
    title: 'the effect of a webhook is required',
    type: validatingWebhookConfigurations,
    release: '1.24',
    object: { metadata, webhooks: [webhook] },
    causes: ['FieldValueRequired webhooks[0].sideEffects'],
  },
  {
    title: 'the name of a service of an ingress begins with a letter before 1.36',
    type: ingresses,
    release: '1.35',
    object: backend({ name: '1', port: { number: 1 } }),
    causes: ['FieldValueInvalid spec.defaultBackend.service.name'],
  },
  {
    title: 'an empty policy of evictions is unknown',
    type: podDisruptionBudgets,
    release: '1.30',
    object: { metadata, spec: { minAvailable: 1, unhealthyPodEvictionPolicy: '' } },
    causes: ['FieldValueNotSupported spec.unhealthyPodEvictionPolicy'],
  },
  {
    title: 'an empty action of a binding is unknown',
    type: validatingAdmissionPolicyBindings,
    release: '1.30',
    object: { metadata, spec: { policyName: 'p', validationActions: ['Warn', ''] } },
    causes: ['FieldValueNotSupported spec.validationActions[1]'],
  },
  {
    title: 'names of resources of a policy are different, empty ones too',
    type: validatingAdmissionPolicies,
    release: '1.30',
    object: {
      metadata,
      spec: {
        validations: [{ expression: 'true' }],
        matchConstraints: { resourceRules: [{ ...rule, resourceNames: ['', ''] }] },
      },
    },
    causes: ['FieldValueDuplicate spec.matchConstraints.resourceRules[0].resourceNames[1]'],
  },
  {
    title: 'a level that is not limited has one error for its limits',
    type: priorityLevelConfigurations,
    release: '1.34',
    object: level({ type: 'A', limited: { nominalConcurrencyShares: -1, limitResponse: { type: 'B' } } }),
    causes: ['FieldValueNotSupported spec.type'],
  },
  ...(['1.34', '1.36'] as const).map((release) => ({
    title: `errors about requests and constraints of a claim have their places in ${release}`,
    type: resourceClaims,
    release,
    object: {
      metadata,
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { deviceClassName: 'a' } },
            { name: 'a', exactly: { deviceClassName: 'a' } },
          ],
          constraints: [{}],
        },
      },
    },
    causes:
      release === '1.34'
        ? [
            'FieldValueDuplicate spec.devices.requests[1].name',
            'FieldValueRequired spec.devices.constraints[0].matchAttribute',
          ]
        : ['FieldValueDuplicate spec.devices.requests[1]', 'FieldValueRequired spec.devices.constraints[0]'],
  })),
  {
    title: 'the container of a metric has the name of a container',
    type: horizontalPodAutoscalers,
    release: '1.30',
    object: {
      metadata,
      spec: {
        maxReplicas: 1,
        scaleTargetRef: { kind: 'K', name: 'x' },
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'cpu',
              container: 'A_',
              target: { type: 'Utilization', averageUtilization: 1 },
            },
          },
        ],
      },
    },
    causes: ['FieldValueInvalid spec.metrics[0].containerResource.container'],
  },
  {
    title: 'a volume within an attachment has one error for each field that it cannot have',
    type: volumeAttachments,
    release: '1.37',
    object: {
      metadata,
      spec: {
        attacher: 'a',
        nodeName: 'n',
        source: {
          inlineVolumeSpec: {
            accessModes: ['ReadWriteOnce'],
            csi: { driver: 'a.b', volumeHandle: 'h' },
            nodeAffinity: {},
            persistentVolumeReclaimPolicy: 'X',
            storageClassName: '-a',
            volumeMode: '',
          },
        },
      },
    },
    causes: ['nodeAffinity', 'persistentVolumeReclaimPolicy', 'storageClassName', 'volumeMode'].map(
      (field) => `FieldValueForbidden spec.source.inlineVolumeSpec.${field}`,
    ),
  },
  {
    title: 'an empty type of a network policy is not supported',
    type: networkPolicies,
    release: '1.28',
    object: { metadata, spec: { podSelector: {}, policyTypes: ['', 'Ingress'] } },
    causes: ['FieldValueNotSupported spec.policyTypes[0]'],
  },
  {
    title: 'ranges of main groups are validated for the rules that have them',
    type: podSecurityPolicies,
    release: '1.24',
    object: securityPolicy({ runAsGroup: { rule: 'x', ranges: [{ min: 101, max: 1 }] } }),
    causes: ['FieldValueNotSupported spec.runAsGroup.rule'],
  },
  ...(['1.35', '1.36'] as const).map((release) => ({
    title: `a response without a type is ${release === '1.35' ? 'not supported' : 'missing'} in ${release}`,
    type: priorityLevelConfigurations,
    release,
    object: level({ type: 'Limited', limited: { limitResponse: {} } }),
    causes: [
      `${release === '1.35' ? 'FieldValueNotSupported' : 'FieldValueRequired'} spec.limited.limitResponse.type`,
    ],
  })),
  {
    title: 'the name of a device that a rule selects is not empty',
    type: deviceTaintRules,
    release: '1.37',
    object: {
      metadata,
      spec: { deviceSelector: { device: '' }, taint: { effect: 'NoExecute', key: 'a' } },
    },
    causes: ['FieldValueInvalid spec.deviceSelector.device'],
  },
  {
    title: 'a version of a definition without a name is one error',
    type: customResourceDefinitions,
    release: '1.24',
    object: definition({ name: '' }),
    causes: ['FieldValueInvalid spec.versions[0].name'],
  },
];

describe('causes of refusals', () => {
  for (const { title, type, release, object, causes } of refused)
    it(title, () => {
      const { errors } = writePath(undefined, release).create(type, object);
      assert.deepEqual(errors.map(({ type: reason, field }) => `${reason} ${field}`).sort(), causes);
    });
});

/** A change of the status of a valid object that a release refuses. */
interface RefusedStatus extends Refused {
  readonly status: Fields;
}

const claim = {
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
};
const balancer = { metadata, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } };
const mapped = { loadBalancer: { ingress: [{ ip: '::ffff:1.2.3.4', ipMode: 'VIP' }] } };
const twice = { conditions: [{ message: 'a' }, { message: 'b' }] };
const withoutTypes = [
  'FieldValueDuplicate status.conditions[1].type',
  'FieldValueRequired status.conditions[0].type',
  'FieldValueRequired status.conditions[1].type',
];

const refusedStatuses: readonly RefusedStatus[] = [
  ...(['1.35', '1.36'] as const).flatMap((release) =>
    [
      { what: 'an ingress', type: ingresses, object: backend({ name: 's', port: { number: 80 } }) },
      { what: 'a service', type: services, object: balancer },
    ].map(({ what, type, object }) => ({
      title: `an address that programs read differently in the status of ${what} is ${release === '1.35' ? 'accepted' : 'refused'} in ${release}`,
      type,
      release,
      object,
      status: mapped,
      causes: release === '1.35' ? [] : ['FieldValueInvalid status.loadBalancer.ingress[0].ip'],
    })),
  ),
  {
    title: 'conditions of a level without types are missing their types and are duplicates',
    type: priorityLevelConfigurations,
    release: '1.30',
    object: level({
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } },
    }),
    status: twice,
    causes: withoutTypes,
  },
  {
    title: 'conditions of a schema without types are missing their types and are duplicates',
    type: flowSchemas,
    release: '1.30',
    object: { metadata, spec: { priorityLevelConfiguration: { name: 'x' } } },
    status: twice,
    causes: withoutTypes,
  },
  ...(['1.33', '1.34'] as const).map((release) => ({
    title: `an unknown state of an expansion has its place in ${release}`,
    type: persistentVolumeClaims,
    release,
    object: claim,
    status: { allocatedResourceStatuses: { storage: 'X' } },
    causes: [
      `FieldValueNotSupported status.${release === '1.33' ? 'allocatedResourceStatus' : 'allocatedResourceStatuses'}`,
    ],
  })),
];

describe('causes of refused changes of a status', () => {
  for (const { title, type, release, object, status, causes } of refusedStatuses)
    it(title, () => {
      const path = writePath(undefined, release);
      const { object: stored, errors: none } = path.create(type, object);
      assert.deepEqual(none, []);
      const { errors } = path.update(type, stored, { ...path.show(type, stored), status }, 'status');
      assert.deepEqual(errors.map(({ type: reason, field }) => `${reason} ${field}`).sort(), causes);
    });

  it('a status keeps an address that would be refused today', () => {
    const path = writePath(undefined, '1.36');
    const { object } = path.create(services, balancer);
    const stored = { ...object, status: mapped };
    assert.deepEqual(path.update(services, stored, path.show(services, stored), 'status').errors, []);
  });
});
