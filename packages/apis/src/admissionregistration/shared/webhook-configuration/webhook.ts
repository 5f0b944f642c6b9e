import { type FieldOptions, f, items, type StructSchema, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { metadataField } from '../../../meta/standard-fields.ts';
import { matchConditionIn, matchConditions } from '../match-condition.ts';
import { RuleWithOperations, ruleWithOperationsOf } from '../rule.ts';

/** The differences between the two versions in the fields of a webhook. */
export interface WebhookVersion {
  readonly version: 'v1' | 'v1beta1';
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  readonly timeoutSeconds: number;
  readonly sideEffects: FieldOptions;
  readonly admissionReviewVersions: FieldOptions;
}

const serviceReferenceOf = (version: string) =>
  struct(`admissionregistration.${version}.ServiceReference`, 'Names a port of a service.', {
    namespace: f.string(1, { doc: 'Namespace of the service.', presence: 'always' }),
    name: f.string(2, { doc: 'Name of the service.', presence: 'always' }),
    path: f.string(3, { doc: 'Path of the requests.', presence: 'pointer' }),
    port: f.int32(4, { doc: 'Port of the service.', presence: 'pointer', default: 443 }),
  });

const clientConfigOf = (version: string) =>
  struct(
    `admissionregistration.${version}.WebhookClientConfig`,
    'How to reach a webhook: either by URL or by service.',
    {
      url: f.string(3, {
        doc: 'Where the webhook listens, `https://host/path`. For one in the cluster use service.',
        presence: 'pointer',
      }),
      service: f.struct(1, serviceReferenceOf(version), {
        doc: 'Service of the cluster behind which the webhook is.',
        presence: 'pointer',
      }),
      caBundle: f.bytes(2, {
        doc: 'Certificates in PEM that verify the certificate of the webhook; those of the system when absent.',
      }),
    },
  );

/** The fields that both kinds of webhook have, without those whose numbers differ. */
const sharedFields = (own: WebhookVersion, parts: WebhookParts) => ({
  name: f.string(1, {
    doc: 'Full name of the webhook, with at least three parts: `image-policy.example.com`.',
    presence: 'always',
    required: true,
    format: 'webhookName',
  }),
  clientConfig: f.struct(2, parts.clientConfig, {
    doc: 'How to reach the webhook.',
    presence: 'always',
    openapiRequired: true,
  }),
  rules: f.list(3, parts.rule, {
    doc: 'Requests for which the webhook is called: those that match one of these. It is never called for webhook configurations.',
  }),
  failurePolicy: f.string(4, {
    doc: 'What happens to a request when the webhook fails or does not respond in time: Fail rejects it, Ignore continues.',
    presence: 'pointer',
    default: own.failurePolicy,
    enum: ['Fail', 'Ignore'],
    openapiEnum: { since: '1.27' },
    emptyIsInvalid: true,
  }),
  matchPolicy: f.string(9, {
    doc: 'Exact applies rules literally; Equivalent also intercepts the same resource under another group or version.',
    presence: 'pointer',
    default: own.matchPolicy,
    enum: ['Equivalent', 'Exact'],
    openapiEnum: { since: '1.27' },
    emptyIsInvalid: true,
  }),
  namespaceSelector: f.struct(5, LabelSelector, {
    doc: 'Namespaces for whose objects the webhook is called, and the namespaces themselves. It does not restrict other cluster-scoped objects.',
    presence: 'pointer',
    default: {},
  }),
});

/** The fields after the selectors, in both kinds of webhook. */
const callFields = (own: WebhookVersion) => ({
  sideEffects: f.string(6, {
    doc: 'Whether calls change anything elsewhere: None, or NoneOnDryRun. Any other webhook makes dry runs fail.',
    ...own.sideEffects,
    openapiEnum: { since: '1.27', values: ['None', 'NoneOnDryRun', 'Some', 'Unknown'] },
  }),
  timeoutSeconds: f.int32(7, {
    doc: 'Seconds within which the webhook must respond, 1 to 30.',
    presence: 'pointer',
    default: own.timeoutSeconds,
    min: 1,
    max: 30,
  }),
  admissionReviewVersions: f.list(8, items.string, {
    doc: 'Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent.',
    ...own.admissionReviewVersions,
  }),
});

const objectSelector = (num: number) =>
  f.struct(num, LabelSelector, {
    doc: 'Labels that the old or the new object must have. Users can set any labels, so this is not a protection.',
    presence: 'pointer',
    default: {},
  });

/** Structs shared by the kinds of one version. */
interface WebhookParts {
  readonly clientConfig: StructSchema;
  readonly rule: StructSchema;
  readonly condition: StructSchema;
}

const conditionLife = { since: '1.28', gate: 'AdmissionWebhookMatchConditions' };

const mutatingWebhookOf = (own: WebhookVersion, parts: WebhookParts): StructSchema =>
  struct(
    `admissionregistration.${own.version}.MutatingWebhook`,
    'A webhook that may change objects before they are stored.',
    {
      ...sharedFields(own, parts),
      objectSelector: objectSelector(11),
      ...callFields(own),
      reinvocationPolicy: f.string(10, {
        doc: 'IfNeeded calls the webhook again when the object was changed after its call; Never calls it once.',
        presence: 'pointer',
        default: 'Never',
        enum: ['IfNeeded', 'Never'],
        openapiEnum: { since: '1.27' },
        emptyIsInvalid: true,
      }),
      matchConditions: matchConditions(12, parts.condition, conditionLife),
    },
  );

const validatingWebhookOf = (own: WebhookVersion, parts: WebhookParts): StructSchema =>
  struct(
    `admissionregistration.${own.version}.ValidatingWebhook`,
    'A webhook that may refuse requests, and changes nothing.',
    {
      ...sharedFields(own, parts),
      objectSelector: objectSelector(10),
      ...callFields(own),
      matchConditions: matchConditions(11, parts.condition, conditionLife),
    },
  );

const configurationOf = (name: string, doc: string, webhook: StructSchema): StructSchema =>
  struct(
    `admissionregistration.${name}`,
    doc,
    {
      metadata: metadataField,
      webhooks: f.list(2, webhook, {
        doc: 'The webhooks, and the requests for which they are called.',
        protoName: 'Webhooks',
        patchStrategy: 'merge',
        patchMergeKey: 'name',
      }),
    },
    { typeMeta: true },
  );

/** The kinds of one version. Both versions have the same fields, with other defaults and fewer rules in the older. */
export function webhookConfigurationsOf(own: WebhookVersion): {
  readonly mutating: StructSchema;
  readonly validating: StructSchema;
} {
  const { version } = own;
  const parts: WebhookParts = {
    clientConfig: clientConfigOf(version),
    rule: version === 'v1' ? RuleWithOperations : ruleWithOperationsOf(version),
    condition: matchConditionIn[version],
  };
  return {
    mutating: configurationOf(
      `${version}.MutatingWebhookConfiguration`,
      'Webhooks that are called before objects are stored, and may change them.',
      mutatingWebhookOf(own, parts),
    ),
    validating: configurationOf(
      `${version}.ValidatingWebhookConfiguration`,
      'Webhooks that are called before objects are stored, and may refuse them.',
      validatingWebhookOf(own, parts),
    ),
  };
}
