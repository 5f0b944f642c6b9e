import { createSecureContext } from 'node:tls';
import type { NodeAgentOptions } from '@orch/connect';
import { messageOf } from '@orch/machinery';
import { readCertificateBundle, readFlagFile, StartError } from '@orch/program';
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
    ...identityOf(flags),
    ...(ca === '' ? {} : { ca: readCertificateBundle('nodeagent-certificate-authority', ca) }),
    addressTypes: flags.nodeAgentAddressTypes,
    dialTimeoutMs: flags.nodeAgentTimeout,
  };
}

function identityOf(flags: NodeAgentFlags): Pick<NodeAgentOptions, 'cert' | 'key'> {
  const { nodeAgentClientCertificate, nodeAgentClientKey } = flags;
  if (nodeAgentClientCertificate === '' && nodeAgentClientKey === '') return {};
  if (nodeAgentClientCertificate === '' || nodeAgentClientKey === '') {
    throw new StartError('--nodeagent-client-certificate and --nodeagent-client-key must be given together');
  }
  const cert = readFlagFile('nodeagent-client-certificate', nodeAgentClientCertificate);
  const key = readFlagFile('nodeagent-client-key', nodeAgentClientKey);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(`--nodeagent-client-certificate ${nodeAgentClientCertificate}: ${messageOf(error)}`);
  }
  return { cert, key };
}
