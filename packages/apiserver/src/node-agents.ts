import type { NodeAgentOptions, NodeAgentTrust } from '@orch/connect';
import type { Env } from '@orch/machinery';
import { readCertificateBundle } from '@orch/program';
import { checkGivenTogether, clientKeyPair } from './authentication/client-key-pair.ts';
import type { ApiServerFlags } from './flags/api-server-flags.ts';
import { fileMetrics } from './reload/reload-metrics.ts';
import { ReloadedFiles } from './reload/reloaded-files.ts';
import type { Reloads } from './reload/reloads.ts';

type NodeAgentFlags = Pick<
  ApiServerFlags,
  | 'nodeAgentCertificateAuthority'
  | 'nodeAgentClientCertificate'
  | 'nodeAgentClientKey'
  | 'nodeAgentAddressTypes'
  | 'nodeAgentTimeout'
>;

interface Parts {
  readonly env: Pick<Env, 'clock' | 'log' | 'metrics'>;
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
}

/**
 * Options of connections to node agents, whose files are used as they change. A `StartError` names the flag whose file cannot be
 * used.
 */
export function nodeAgentOptionsOf(flags: NodeAgentFlags, parts: Parts): NodeAgentOptions {
  const { nodeAgentAddressTypes: addressTypes, nodeAgentTimeout: dialTimeoutMs } = flags;
  const files = trustFiles(flags, parts);
  return { addressTypes, dialTimeoutMs, ...(files && { trust: () => files.current }) };
}

/** Undefined without any file. */
function trustFiles(
  flags: NodeAgentFlags,
  { env, reloads }: Parts,
): ReloadedFiles<NodeAgentTrust> | undefined {
  const cert = { flag: 'nodeagent-client-certificate', path: flags.nodeAgentClientCertificate };
  const key = { flag: 'nodeagent-client-key', path: flags.nodeAgentClientKey };
  const ca = { flag: 'nodeagent-certificate-authority', path: flags.nodeAgentCertificateAuthority };
  checkGivenTogether(cert, key);
  const given = [cert, key, ca].filter(({ path }) => path !== '');
  const [first] = given;
  if (first === undefined) return undefined;
  return reloads.add(
    new ReloadedFiles<NodeAgentTrust>({
      title: 'the certificates for node agents',
      files: given,
      read: (texts) => ({
        ...(cert.path === ''
          ? {}
          : clientKeyPair({ ...cert, text: texts[0] ?? '' }, { ...key, text: texts[1] ?? '' })),
        ...(ca.path === '' ? {} : { ca: readCertificateBundle(ca.flag, ca.path) }),
      }),
      metrics: fileMetrics(first.flag, env),
      env,
    }),
  );
}
