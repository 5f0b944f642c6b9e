import type { TokenRequest } from '@orch/kinds/authentication';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** Tokens of service accounts: a node gets those that are bound to pods on the node. */
export function refusedToken({ node, write, parts }: NodeWrite): Promise<Refusal | undefined> | Refusal {
  const { operation, subresource, object, namespace, signal } = write;
  if (operation !== 'CREATE' || subresource !== 'token')
    return `node ${quoted(node)} cannot write service accounts`;
  const request: TokenRequest | undefined = object;
  const { kind = '', apiVersion = '', name = '', uid = '' } = request?.spec?.boundObjectRef ?? {};
  if (kind !== 'Pod' || apiVersion !== 'v1' || name === '')
    return `node ${quoted(node)} requested a token that is not bound to a pod`;
  if (uid === '') return `node ${quoted(node)} requested a token bound to a pod without a uid`;
  return refusedBinding({ node, namespace, name, uid }, parts, signal);
}

interface Bound {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

async function refusedBinding(
  { node, namespace, name, uid }: Bound,
  { source }: NodeWrite['parts'],
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  await source.fresh(signal);
  const pod = source.get('pods', namespace, name);
  if (pod === undefined || pod.metadata.uid !== uid)
    return `the pod ${quoted(name)} that the token is bound to does not exist with uid ${quoted(uid)}`;
  return pod.spec?.nodeName === node
    ? undefined
    : `node ${quoted(node)} requested a token bound to a pod on another node`;
}
