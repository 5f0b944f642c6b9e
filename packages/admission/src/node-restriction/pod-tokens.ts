import type { TokenRequest } from '@orch/kinds/authentication';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';
import { refusedAudiences } from './token-audiences.ts';

/** Tokens of service accounts: a node gets those that are bound to pods on the node. */
export function refusedToken(nodeWrite: NodeWrite): Promise<Refusal | undefined> | Refusal {
  const { node, write } = nodeWrite;
  const { operation, subresource, object } = write;
  if (operation !== 'CREATE' || subresource !== 'token')
    return `node ${quoted(node)} cannot write service accounts`;
  const request: TokenRequest | undefined = object;
  const { kind = '', apiVersion = '', name = '', uid = '' } = request?.spec?.boundObjectRef ?? {};
  if (kind !== 'Pod' || apiVersion !== 'v1' || name === '')
    return `node ${quoted(node)} requested a token that is not bound to a pod`;
  if (uid === '') return `node ${quoted(node)} requested a token bound to a pod without a uid`;
  return refusedBinding(nodeWrite, { name, uid, audiences: request?.spec?.audiences ?? [] });
}

interface Requested {
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
}

async function refusedBinding(
  nodeWrite: NodeWrite,
  { name, uid, audiences }: Requested,
): Promise<Refusal | undefined> {
  const { node, write, parts } = nodeWrite;
  const { source, restrictsAudiences } = parts;
  await source.fresh(write.signal);
  const pod = source.get('pods', write.namespace, name);
  if (pod === undefined || pod.metadata.uid !== uid)
    return `the pod ${quoted(name)} that the token is bound to does not exist with uid ${quoted(uid)}`;
  if (pod.spec?.nodeName !== node)
    return `node ${quoted(node)} requested a token bound to a pod on another node`;
  return restrictsAudiences ? await refusedAudiences(nodeWrite, pod, audiences) : undefined;
}
