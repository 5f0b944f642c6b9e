import { type ControllerContext, type Informer, informerSource, keyOf, type Source } from '@orch/client';
import { asObject, asText } from '@orch/machinery';
import { pemBlocks, readCertificates } from '@orch/pki/x509';
import { configMaps } from '../api/resources.ts';
import type { Content } from '../options.ts';
import { contentSource } from './content-source.ts';
import { rootCaIn } from './read.ts';
import { certificateKey } from './reconcile.ts';

/**
 * The authorities that clients of the cluster have to trust: those of a flag, and where these are some that API
 * servers made for themselves, those of all servers, which they keep in a config map of the system.
 */
export class RootCertificates {
  readonly #context: ControllerContext;
  readonly #given: Content;
  readonly #readGiven: () => Promise<string>;
  readonly #published: Informer;

  constructor(context: ControllerContext, given: Content) {
    const { namespaces, objects } = context.client.names;
    this.#context = context;
    this.#given = given;
    this.#readGiven = rootCaIn(given);
    this.#published = context.informers.informer(configMaps, {
      namespace: namespaces.system,
      fieldSelector: `metadata.name=${objects.servingAuthorities}`,
    });
  }

  /** PEM, those of the flag first. Rejects when these cannot be read, such as while a file is written. */
  async read(): Promise<string> {
    const given = await this.#readGiven();
    const { namespaces, objects } = this.#context.client.names;
    const map = this.#published.store.get(keyOf(namespaces.system, objects.servingAuthorities));
    return map === undefined ? given : joined(given, asText(asObject(map['data'])[certificateKey]));
  }

  /** Adds keys when the authorities have changed. */
  sources(keys: () => readonly string[]): readonly Source<string>[] {
    const { clock, log } = this.#context.env;
    return [contentSource(this.#given, { clock, log, keys }), informerSource(this.#published, { keys })];
  }
}

/**
 * The given text, with the authorities that servers published beside those in it. The given text alone where none of
 * these is in it: an operator who names another authority says everything there is to trust.
 */
export function joined(given: string, published: string): string {
  if (typeof readCertificates(published) === 'string') return given;
  const known = new Set([...pemBlocks(given)].map(({ bytes }) => bytes.toString('base64')));
  const all = published.split(/(?<=-----END CERTIFICATE-----\n)/);
  const isKnown = (pem: string): boolean =>
    [...pemBlocks(pem)].every(({ bytes }) => known.has(bytes.toString('base64')));
  const more = all.filter((pem) => !isKnown(pem));
  if (more.length === 0 || more.length === all.length) return given;
  return `${given}${given.endsWith('\n') ? '' : '\n'}${more.join('')}`;
}
