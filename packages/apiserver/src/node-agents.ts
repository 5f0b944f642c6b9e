import type { NodeAgentOptions } from '@orch/connect';
import { readCertificateBundle } from '@orch/program';
import { readClientKeyPair } from './client-key-pair.ts';
import type { ApiServerFlags } from './flags/api-server-flags.ts';

type NodeAgentFlags = Pick<
  ApiServerFlags,
  | 'nodeAgentCertificateAuthority'
  | 'nodeAgentClientCertificate'
  | 'nodeAgentClientKey'
  | 'nodeAgentAddressTypes'
  | 'nodeAgentTimeout'
>;

/** Options of connections to node agents. A `StartError` names the flag whose file cannot be used. */
export function nodeAgentOptionsOf(flags: NodeAgentFlags): NodeAgentOptions {
  const ca = flags.nodeAgentCertificateAuthority;
  return {
    ...readClientKeyPair(
      { flag: 'nodeagent-client-certificate', path: flags.nodeAgentClientCertificate },
      { flag: 'nodeagent-client-key', path: flags.nodeAgentClientKey },
    ),
    ...(ca === '' ? {} : { ca: readCertificateBundle('nodeagent-certificate-authority', ca) }),
    addressTypes: flags.nodeAgentAddressTypes,
    dialTimeoutMs: flags.nodeAgentTimeout,
  };
}
