import { createSecureContext, type SecureContext } from 'node:tls';
import type { Node } from '@orch/kinds/core';
import { errors, type Names } from '@orch/machinery';
import { asNumber, objectAt } from '@orch/machinery/json';
import type { Destination } from '@orch/outbound';

/** Client certificate of this server for node agents, and the authorities of their serving certificates. PEM. */
export interface NodeAgentTrust {
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Certificate authorities of node agents; without them any certificate is accepted. */
  readonly ca?: readonly (string | Buffer)[];
}

export interface NodeAgentOptions {
  /** Called for each connection; returns another object when its files have changed. */
  readonly trust?: () => NodeAgentTrust;
  /** Types of node addresses, in order of preference. */
  readonly addressTypes?: readonly string[];
  /** Timeout for connecting to a node agent, TLS included. */
  readonly dialTimeoutMs?: number;
}

export const defaultAddressTypes: readonly string[] = [
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
];

const DEFAULT_PORT = 10_250;

/** Addresses and TLS options of node agents. */
export class NodeAgents {
  readonly #options: NodeAgentOptions;
  readonly #endpointField: string;
  #context: { readonly of: NodeAgentTrust; readonly secure: SecureContext } | undefined;

  constructor(options: NodeAgentOptions, names: Names) {
    this.#options = options;
    this.#endpointField = names.field('nodeagentEndpoint');
  }

  get dialTimeoutMs(): number {
    return this.#options.dialTimeoutMs ?? 5_000;
  }

  /** The port that the agent of a node reports. */
  portOf(node: Node): number {
    return asNumber(objectAt(node, 'status', 'daemonEndpoints', this.#endpointField)['Port']) || DEFAULT_PORT;
  }

  /** The preferred address of a node; 503 when it has none of the types that this server uses. */
  addressOf(node: Node): string {
    const addresses = node.status?.addresses ?? [];
    const types = this.#options.addressTypes ?? defaultAddressTypes;
    for (const type of types) {
      const { address = '' } = addresses.find((one) => one.type === type) ?? {};
      if (address !== '') return address;
    }
    throw errors.serviceUnavailable(
      `node ${JSON.stringify(node.metadata.name)} has no address of type ${types.join(', ')}`,
      0,
    );
  }

  /** Destination of the agent of a node. `insecure` accepts any certificate for this connection. */
  destination(node: Node, insecure = false): Destination {
    const trust = this.#options.trust?.() ?? noTrust;
    const verify = trust.ca !== undefined && !insecure;
    return {
      host: this.addressOf(node),
      port: this.portOf(node),
      use: 'nodeAgent',
      tls: { context: this.#secureContext(trust), verify },
      title: `the node agent of node ${JSON.stringify(node.metadata.name)}`,
    };
  }

  #secureContext(trust: NodeAgentTrust): SecureContext {
    if (this.#context?.of !== trust) this.#context = { of: trust, secure: secureContextOf(trust) };
    return this.#context.secure;
  }
}

const noTrust: NodeAgentTrust = {};

const secureContextOf = ({ cert, key, ca }: NodeAgentTrust): SecureContext =>
  createSecureContext({
    minVersion: 'TLSv1.2',
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(ca === undefined ? {} : { ca: [...ca] }),
  });
