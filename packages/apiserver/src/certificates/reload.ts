import type { Listener, ServingTls } from '@orch/http';
import { type Env, messageOf } from '@orch/machinery';
import type { ClientTrust } from '../client-trust.ts';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { WatchedFiles } from '../reload/watched-files.ts';
import { type Certificates, givenServing } from './serving.ts';

/** TLS settings of new connections. */
export const servingTls = ({ serving }: Pick<Certificates, 'serving'>, trust: ClientTrust): ServingTls => ({
  ...serving,
  clientCa: trust.authorities,
});

interface Reloading {
  readonly flags: Pick<ApiServerFlags, 'tlsCertFile' | 'tlsPrivateKeyFile'>;
  readonly certificates: Certificates;
  readonly trust: ClientTrust;
  readonly listener: Listener;
  readonly env: Env;
}

/**
 * Reloads the files of the flags: the serving certificate, and the authorities of clients and proxies. New connections
 * use the current content; certificates without a trusted authority are refused on open connections as well. Invalid
 * files, such as a certificate without its new key, have no effect until they are valid.
 */
export function reloadCertificates(reloading: Reloading, signal: AbortSignal): Promise<void> {
  const { flags, certificates, trust, listener, env } = reloading;
  const files = [flags.tlsCertFile, flags.tlsPrivateKeyFile, ...trust.files].filter((path) => path !== '');
  let { serving } = certificates;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      env.log.error('certificates cannot be used; keeping the previous ones', { error: messageOf(error) });
    }
  };
  const reload = (): boolean => {
    // Each separately: an invalid pair must not keep a removed authority trusted.
    attempt(() => trust.reload());
    attempt(() => {
      serving = givenServing(flags) ?? serving;
    });
    attempt(() => {
      listener.replaceTls(servingTls({ serving }, trust));
      env.log.info('certificates were reloaded');
    });
    return true;
  };
  return new WatchedFiles(files).watch(env.clock, reload, signal);
}
