import { namesFor } from '@orch/machinery';
import {
  type AnswerReview,
  type Review,
  reviewAnswer,
  sendJson,
  type WebhookServer,
} from './webhook-server.ts';

export const GATE_GROUP = 'net.example.com';
/** Resource of the definition below. */
export const gatesPath = (version: string, name = '', below = ''): string =>
  `/apis/${GATE_GROUP}/${version}/namespaces/default/gates${name === '' ? '' : `/${name}`}${below}`;

const text = { type: 'string' };
const integer = { type: 'integer' };
const struct = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });

/** `v1` has a host and a port, `v2` has an address: they have no field in common. */
const v1 = {
  name: 'v1',
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: struct({
      spec: struct(
        { host: text, port: { ...integer, minimum: 1 }, replicas: integer },
        { required: ['host'] },
      ),
      status: struct({ phase: text, replicas: integer }),
    }),
  },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  selectableFields: [{ jsonPath: '.spec.host' }],
  additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
};

const v2 = {
  name: 'v2',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: struct({
      spec: struct({ address: text, size: struct({ count: integer }), tier: { ...text, default: 'usual' } }),
      status: struct({ state: text, size: integer }),
    }),
  },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.size.count', statusReplicasPath: '.status.size' },
  },
  selectableFields: [{ jsonPath: '.spec.address' }],
  additionalPrinterColumns: [{ name: 'Address', type: 'string', jsonPath: '.spec.address' }],
};

export interface GateDefinitionOptions {
  readonly reviewVersions?: readonly string[];
  readonly storage?: 'v1' | 'v2';
  readonly clientConfig?: object;
  readonly apiextensions?: string;
}

/** A definition whose two versions are converted by a webhook. */
export const gateDefinition = (
  webhook: Pick<WebhookServer, 'url' | 'caBundle'>,
  {
    reviewVersions = ['v1'],
    storage = 'v2',
    clientConfig,
    apiextensions = namesFor('orch').group('apiextensions'),
  }: GateDefinitionOptions = {},
): object => ({
  apiVersion: `${apiextensions}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: `gates.${GATE_GROUP}` },
  spec: {
    group: GATE_GROUP,
    scope: 'Namespaced',
    names: { plural: 'gates', singular: 'gate', kind: 'Gate', shortNames: [] },
    versions: [v1, v2].map((version) => ({ ...version, storage: version.name === storage })),
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: clientConfig ?? { url: webhook.url, caBundle: webhook.caBundle },
        conversionReviewVersions: reviewVersions,
      },
    },
  },
});

export const gate1 = (name: string, host = 'a.example', port = 80, metadata: object = {}): object => ({
  apiVersion: `${GATE_GROUP}/v1`,
  kind: 'Gate',
  metadata: { name, ...metadata },
  spec: { host, port },
});

export const gate2 = (name: string, address = 'a.example:80', metadata: object = {}): object => ({
  apiVersion: `${GATE_GROUP}/v2`,
  kind: 'Gate',
  metadata: { name, ...metadata },
  spec: { address },
});

/** Converts a gate. Annotations keep data that the other version has no field for. */
export function convertGate(object: Review, apiVersion: string): Review {
  const { metadata, kind, spec = {}, status } = object;
  const toV2 = apiVersion === `${GATE_GROUP}/v2`;
  if (toV2) {
    const { host = '', port = 0, replicas } = spec;
    const tier = metadata.annotations?.['net.example.com/tier'];
    return {
      apiVersion,
      kind,
      metadata,
      spec: {
        address: `${host}:${port}`,
        ...(replicas === undefined ? {} : { size: { count: replicas } }),
        ...(tier === undefined ? {} : { tier }),
      },
      ...(status === undefined ? {} : { status: { state: status.phase, size: status.replicas } }),
    };
  }
  const { address = '', size, tier } = spec;
  const [host = '', port = '0'] = String(address).split(':');
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: { ...metadata.annotations, 'net.example.com/tier': tier } },
    spec: { host, port: Number(port), ...(size?.count === undefined ? {} : { replicas: size.count }) },
    ...(status === undefined ? {} : { status: { phase: status.state, replicas: status.size } }),
  };
}

export const convertGates: AnswerReview = (review, response) =>
  sendJson(response, reviewAnswer(review, convertGate));
