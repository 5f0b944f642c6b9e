import {
  type ControllerContext,
  type Informer,
  informerSource,
  keyOf,
  type kinds,
  type Source,
  typed,
} from '@orch/client';
import { pemBlocks, readCertificates } from '@orch/pki/x509';
import type { Content } from '../options.ts';
import { contentSource } from './content-source.ts';
import { certificateKey } from './reconcile.ts';

/**
 * The certificate authorities that clients of the cluster have to trust: those of the flag, and when an API server
 * generated one of these, those of all API servers, which they publish in a config map of the system namespace.
 */
export class RootCertificates {
  readonly #context: ControllerContext;
  readonly #configured: Content;
  readonly #readConfigured: () => Promise<string>;
  readonly #published: Informer<kinds.core.ConfigMap>;
  #joined: { readonly configured: string; readonly published: string; readonly text: string } | undefined;

  constructor(context: ControllerContext, configured: Content) {
    const { namespaces, objects } = context.client.names;
    this.#context = context;
    this.#configured = configured;
    this.#readConfigured = rootCaIn(configured);
    this.#published = context.informers.informer(typed(context.client).core.v1.configmaps.resource, {
      namespace: namespaces.system,
      fieldSelector: `metadata.name=${objects.servingAuthorities}`,
    });
  }

  /** PEM, those of the flag first. Rejects when these cannot be read, such as while a file is being written. */
  async read(): Promise<string> {
    const configured = await this.#readConfigured();
    const { namespaces, objects } = this.#context.client.names;
    const map = this.#published.store.get(keyOf(namespaces.system, objects.servingAuthorities));
    if (map === undefined) return configured;
    const published = map.data?.[certificateKey] ?? '';
    // Every namespace gets them: they are parsed once per change.
    if (this.#joined?.configured !== configured || this.#joined.published !== published)
      this.#joined = { configured, published, text: joined(configured, published) };
    return this.#joined.text;
  }

  /** Adds keys when the authorities have changed. */
  sources(keys: () => readonly string[]): readonly Source<string>[] {
    const { clock, log } = this.#context.env;
    return [contentSource(this.#configured, { clock, log, keys }), informerSource(this.#published, { keys })];
  }
}

/** The current certificates of a string, which is validated once per change. Rejects without a valid certificate. */
export function rootCaIn(content: Content): () => Promise<string> {
  let cached: string | undefined;
  return async () => {
    const text = await content.read();
    if (text === cached) return text;
    const found = readCertificates(text);
    if (typeof found === 'string') throw new Error(`${content.origin}: ${found}`);
    cached = text;
    return text;
  };
}

/**
 * The configured certificates, followed by published ones that are missing there. The configured certificates alone when
 * none of the published ones is among them: then they are those of another authority, and complete.
 */
export function joined(configured: string, published: string): string {
  if (typeof readCertificates(published) === 'string') return configured;
  const present = new Set([...pemBlocks(configured)].map(({ bytes }) => bytes.toString('base64')));
  const all = published.split(/(?<=-----END CERTIFICATE-----\n)/);
  const isPresent = (pem: string): boolean =>
    [...pemBlocks(pem)].every(({ bytes }) => present.has(bytes.toString('base64')));
  const missing = all.filter((pem) => !isPresent(pem));
  if (missing.length === 0 || missing.length === all.length) return configured;
  return `${configured}${configured.endsWith('\n') ? '' : '\n'}${missing.join('')}`;
}
