import type * as apiextensions from '@orch/kinds/apiextensions';
import type { Draft } from '@orch/kinds/draft';
import { f, items, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { columnOf, definitionPartsOf, definitionVersionOf } from './definition-parts.ts';

const parts = definitionPartsOf('v1');

export const WebhookConversion = struct(
  'apiextensions.v1.WebhookConversion',
  'The webhook that converts between versions.',
  {
    clientConfig: f.struct(2, parts.clientConfig, {
      doc: 'How to reach the webhook.',
      presence: 'pointer',
    }),
    conversionReviewVersions: f.list(3, items.string, {
      doc: 'Versions of the review that the webhook supports, in order of preference. The first one that the server supports is sent.',
      presence: 'always',
    }),
  },
);

/** An empty webhook is removed. */
function dropEmptyWebhook(conversion: Draft<apiextensions.CustomResourceConversion>): boolean {
  const { webhook } = conversion;
  if (webhook === undefined) return false;
  const { clientConfig, conversionReviewVersions } = webhook;
  if (clientConfig !== undefined || (conversionReviewVersions ?? []).length > 0) return false;
  delete conversion.webhook;
  return true;
}

export const CustomResourceConversion = struct(
  'apiextensions.v1.CustomResourceConversion',
  'Strategy of conversion, and the webhook that it calls.',
  {
    strategy: f.string(1, {
      doc: 'None changes the apiVersion only; Webhook calls a webhook.',
      presence: 'always',
      required: true,
      enum: ['None', 'Webhook'],
      openapiEnum: 'never',
    }),
    webhook: f.struct(2, WebhookConversion, {
      doc: 'The webhook, where the strategy is Webhook.',
      presence: 'pointer',
    }),
  },
  { derive: dropEmptyWebhook },
);

export const CustomResourceDefinitionSpec = struct(
  'apiextensions.v1.CustomResourceDefinitionSpec',
  'Names and versions of a custom resource.',
  {
    group: f.string(1, {
      doc: 'Group of the resource, a domain name. It cannot change later.',
      presence: 'always',
    }),
    names: f.struct(3, parts.names, {
      doc: 'Names of the resource.',
      presence: 'always',
      openapiRequired: true,
    }),
    scope: f.string(4, {
      doc: 'Whether its objects are in namespaces: Namespaced or Cluster.',
      presence: 'always',
      required: true,
      enum: ['Cluster', 'Namespaced'],
      openapiEnum: 'never',
    }),
    versions: f.list(7, definitionVersionOf('v1', parts, columnOf('v1', 'jsonPath')), {
      doc: 'Its versions. In discovery they are ordered by stability and age, independent of their order here.',
      presence: 'always',
    }),
    conversion: f.struct(9, CustomResourceConversion, {
      doc: 'How objects are converted from one version to another.',
      presence: 'pointer',
      default: { strategy: 'None' },
    }),
    preserveUnknownFields: f.bool(10, {
      doc: 'Keeps fields that the schema does not declare, at every place. No longer allowed: set it in the schema instead.',
      deprecated: 'Use the extension of schemas of the same name.',
    }),
  },
);

export const CustomResourceDefinition: StructSchema = struct(
  'apiextensions.v1.CustomResourceDefinition',
  'Adds a custom resource to the API. Its name is `plural.group`.',
  {
    metadata: metadataField,
    spec: f.struct(2, CustomResourceDefinitionSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: f.struct(3, parts.status, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
