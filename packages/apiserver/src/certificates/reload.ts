import type { Listener, ServingTls } from '@orch/http';
import { type Env, messageOf } from '@orch/machinery';
import type { ApiServerFlags } from '../api-server-flags.ts';
import type { ClientTrust } from '../client-trust.ts';
import { watchFiles } from './file-changes.ts';
import { type Certificates, givenServing } from './serving.ts';

/** What connections begin with. */
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
 * Follows the files of the flags: the serving certificate, and the authorities of clients and proxies. New connections
 * begin with what they say now; certificates that no authority signs for any more are refused on old ones as well. Files
 * that cannot be used, such as half of a new pair, change nothing until they can.
 */
export function reloadCertificates(reloading: Reloading, signal: AbortSignal): Promise<void> {
  const { flags, certificates, trust, listener, env } = reloading;
  const files = [flags.tlsCertFile, flags.tlsPrivateKeyFile, ...trust.files].filter((path) => path !== '');
  let { serving } = certificates;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      env.log.error('certificates cannot be used: the ones before stay', { error: messageOf(error) });
    }
  };
  const reload = (): void => {
    // Each for itself: an authority that is no longer trusted must not stay for the sake of a broken pair.
    attempt(() => trust.reload());
    attempt(() => {
      serving = givenServing(flags) ?? serving;
    });
    attempt(() => {
      listener.replaceTls(servingTls({ serving }, trust));
      env.log.info('certificates were read again');
    });
  };
  return watchFiles(files, env.clock, reload, signal);
}
