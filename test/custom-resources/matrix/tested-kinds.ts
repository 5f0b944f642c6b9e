import type { Names } from '@orch/machinery';
import type { DefinitionBody } from '../widgets.ts';

/** An object as responses contain it. */
// biome-ignore lint/suspicious/noExplicitAny: objects of several kinds, in fields that the tests know.
export type Json = any;

/** A kind that the matrix tests, with what is special about it. */
export interface TestedKind {
  readonly title: string;
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly isCustom: boolean;
  /** It has the subresources status and scale. */
  readonly hasSubresources: boolean;
  /** Fields of the content, besides what `change` sets. */
  readonly content: object;
  /** A merge patch that changes the content. */
  change(value: string): Json;
  /** The value that `change` has set last. */
  valueOf(object: Json): unknown;
  /** Absent for built-in kinds. */
  readonly definition?: DefinitionBody;
}

export const GROUP = 'matrix.example.com';

const integer = { type: 'integer' };
const text = { type: 'string' };

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { text, replicas: { ...integer, default: 1 }, paused: { type: 'boolean' } },
    },
    status: { type: 'object', properties: { replicas: integer, phase: text, selector: text } },
  },
};

const subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
};

interface CustomKind {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly hasSubresources: boolean;
}

function customKind(names: Names, { kind, namespaced, hasSubresources }: CustomKind): TestedKind {
  const singular = kind.toLowerCase();
  const resource = `${singular}s`;
  return {
    title: `custom ${resource} (${namespaced ? 'namespaced' : 'cluster-scoped'}, ${hasSubresources ? 'with' : 'without'} subresources)`,
    group: GROUP,
    resource,
    kind,
    namespaced,
    isCustom: true,
    hasSubresources,
    content: {},
    change: (value) => ({ spec: { text: value } }),
    valueOf: (object) => object.spec?.text,
    definition: {
      apiVersion: names.apiVersion('apiextensions', 'v1'),
      kind: 'CustomResourceDefinition',
      metadata: { name: `${resource}.${GROUP}` },
      spec: {
        group: GROUP,
        scope: namespaced ? 'Namespaced' : 'Cluster',
        names: { plural: resource, singular, kind },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            ...(hasSubresources ? { subresources } : {}),
          },
        ],
      },
    },
  };
}

const labels = { app: 'matrix' };

const deployments: TestedKind = {
  title: 'built-in deployments (namespaced, with subresources)',
  group: 'apps',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  isCustom: false,
  hasSubresources: true,
  content: {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  change: (value) => ({ spec: { template: { spec: { hostname: value } } } }),
  valueOf: (object) => object.spec?.template?.spec?.hostname,
};

const ingressClasses = (names: Names): TestedKind => ({
  title: 'built-in ingressclasses (cluster-scoped, without subresources)',
  group: names.group('networking'),
  resource: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  isCustom: false,
  hasSubresources: false,
  content: { spec: { controller: 'example.com/c', parameters: { kind: 'P', name: 'p' } } },
  change: (value) => ({ spec: { parameters: { name: value } } }),
  valueOf: (object) => object.spec?.parameters?.name,
});

/** Custom kinds of both scopes with and without subresources, and built-in kinds as a reference. */
export const testedKinds = (names: Names): readonly TestedKind[] => [
  customKind(names, { kind: 'Rocket', namespaced: true, hasSubresources: true }),
  customKind(names, { kind: 'Planet', namespaced: true, hasSubresources: false }),
  customKind(names, { kind: 'Galaxy', namespaced: false, hasSubresources: true }),
  customKind(names, { kind: 'Comet', namespaced: false, hasSubresources: false }),
  deployments,
  ingressClasses(names),
];
