import { TrustPool } from '@orch/auth';
import { readCertificateBundle } from '@orch/program';
import type { ClusterAuthenticationInfo } from '@orch/server';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

type Flags = Pick<
  ApiServerFlags,
  | 'clientCaFile'
  | 'requestHeaderClientCaFile'
  | 'requestHeaderUsernameHeaders'
  | 'requestHeaderUidHeaders'
  | 'requestHeaderGroupHeaders'
  | 'requestHeaderExtraHeadersPrefix'
  | 'requestHeaderAllowedNames'
>;

/** The client certificate of this server as a proxy. */
export interface OwnProxy {
  /** PEM of its authority. */
  readonly authority: string;
  readonly commonName: string;
}

/** The trusted authorities of client certificates, by purpose: users and proxies. */
export class ClientTrust {
  readonly clients = new TrustPool();
  readonly proxies = new TrustPool();
  readonly #flags: Flags;
  #own: readonly string[] = [];
  /** The generated authority of this server as a proxy: published, and not trusted here. */
  #ownProxy: OwnProxy | undefined;
  #authorities: readonly string[] = [];
  #facts: ClusterAuthenticationInfo = { clients: [], proxies: undefined };

  /** Reads the files of the flags; throws `StartError`. */
  constructor(flags: Flags) {
    this.#flags = flags;
    this.reload();
  }

  /** The files of the authorities. */
  get files(): readonly string[] {
    const { clientCaFile, requestHeaderClientCaFile } = this.#flags;
    return [clientCaFile, requestHeaderClientCaFile].filter((path) => path !== '');
  }

  /** PEM of all authorities, for TLS. */
  get authorities(): readonly string[] {
    return this.#authorities;
  }

  /** The information with which extension servers verify requests of this server. */
  get facts(): ClusterAuthenticationInfo {
    return this.#facts;
  }

  /** Adds the server's generated authority for clients. */
  addOwn(authority: string): void {
    this.#own = [authority];
    this.reload();
  }

  /** Publishes the authority of the generated certificate with which this server connects to extension API servers. */
  publishOwnProxy(own: OwnProxy): void {
    this.#ownProxy = own;
    this.reload();
  }

  /** Reloads the files. Throws `StartError` without a change when one is invalid. */
  reload(): void {
    const { clientCaFile, requestHeaderClientCaFile } = this.#flags;
    const clients = [...this.#own, ...bundle('client-ca-file', clientCaFile)];
    const proxies = bundle('requestheader-client-ca-file', requestHeaderClientCaFile);
    this.clients.replace(clients, { isOnly: proxies.length === 0 });
    this.proxies.replace(proxies, { isOnly: false });
    this.#authorities = [...new Set([...clients, ...proxies])];
    this.#facts = { clients, proxies: this.#proxyFacts(proxies) };
  }

  #proxyFacts(authorities: readonly string[]): ClusterAuthenticationInfo['proxies'] {
    if (authorities.length === 0)
      return this.#ownProxy === undefined ? undefined : ownProxyFacts(this.#ownProxy);
    const flags = this.#flags;
    return {
      authorities,
      usernameHeaders: flags.requestHeaderUsernameHeaders,
      uidHeaders: flags.requestHeaderUidHeaders,
      groupHeaders: flags.requestHeaderGroupHeaders,
      extraHeaderPrefixes: flags.requestHeaderExtraHeadersPrefix,
      allowedNames: flags.requestHeaderAllowedNames,
      isGenerated: false,
    };
  }
}

/** The header fields in which this server names users. */
const ownProxyFacts = ({ authority, commonName }: OwnProxy): ClusterAuthenticationInfo['proxies'] => ({
  authorities: [authority],
  usernameHeaders: ['X-Remote-User'],
  // Extension servers read only published fields. This server sets the field or removes it.
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
  allowedNames: [commonName],
  isGenerated: true,
});

const bundle = (flag: string, path: string): readonly string[] =>
  path === '' ? [] : readCertificateBundle(flag, path);
