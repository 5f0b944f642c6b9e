import type { ApiObject, kinds, Names, ObjectMeta, TypedResource } from '@orch/client';

/** A page that is served under a host: the kind that this operator defines. */
export type Website = {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: { host: string; title?: string; page: string };
  status?: { conditions?: kinds.meta.Condition[] };
};

export const websites: TypedResource<Website> = {
  group: 'web.example.com',
  version: 'v1',
  resource: 'websites',
  kind: 'Website',
  namespaced: true,
};

export const apiVersion = `${websites.group}/${websites.version}`;

const text = { type: 'string', minLength: 1 };

const condition = {
  type: 'object',
  required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
  properties: {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: text,
    message: { type: 'string' },
    observedGeneration: { type: 'integer', minimum: 0 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};

const conditions = { type: 'array', maxItems: 16, items: condition };

const { group, version, resource, kind } = websites;

/** The definition of the kind. */
export const websiteDefinition = (names: Names): ApiObject => ({
  apiVersion: names.apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  metadata: { name: `${resource}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: resource, singular: 'website', kind, listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Host', type: 'string', jsonPath: '.spec.host' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['host', 'page'],
                properties: { host: text, title: text, page: text },
              },
              status: { type: 'object', properties: { conditions } },
            },
          },
        },
      },
    ],
  },
});
