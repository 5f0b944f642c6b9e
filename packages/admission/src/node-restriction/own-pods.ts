import { podReferences } from '@orch/auth';
import type { Pod } from '@orch/kinds/core';
import type { OwnerReference } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { storedPod } from '../shared/pods.ts';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** Pods: a node creates mirror pods, and deletes, evicts and updates the status of pods that are bound to it. */
export function refusedPod(nodeWrite: NodeWrite): Promise<Refusal | undefined> | Refusal | undefined {
  const { node, write, parts } = nodeWrite;
  const { operation, subresource, object, oldObject } = write;
  switch (subresource) {
    case '':
      if (operation === 'CREATE') return refusedMirrorPod(nodeWrite);
      if (operation === 'DELETE') return refusedUnlessPlacedHere(node, oldObject, 'delete pods');
      return `node ${quoted(node)} can only create and delete pods, not change them`;
    case 'status':
      return (
        refusedUnlessPlacedHere(node, oldObject, 'update the status of pods') ??
        (jsonEquals(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})
          ? undefined
          : `node ${quoted(node)} cannot change labels through the status of a pod`)
      );
    case 'eviction':
      return storedPod(parts.source, write).then((pod) => refusedUnlessPlacedHere(node, pod, 'evict pods'));
    default:
      return `node ${quoted(node)} can only write the subresources status and eviction of pods, not ${subresource}`;
  }
}

const refusedUnlessPlacedHere = (node: string, pod: Pod | undefined, what: string): Refusal | undefined =>
  pod?.spec?.nodeName === node
    ? undefined
    : `node ${quoted(node)} can only ${what} whose spec.nodeName is its own name`;

/** A mirror pod is bound to the node, is owned by it, and refers to no other objects. */
async function refusedMirrorPod(nodeWrite: NodeWrite): Promise<Refusal | undefined> {
  const { node, write, parts } = nodeWrite;
  const { configMirror } = parts.names.annotations;
  const pod: Pod | undefined = write.object;
  if (pod === undefined) return undefined;
  if (pod.metadata.annotations?.[configMirror] === undefined)
    return `node ${quoted(node)} can only create mirror pods, but the pod does not have the annotation ${quoted(configMirror)}`;
  if (pod.spec?.nodeName !== node)
    return `node ${quoted(node)} can only create pods whose spec.nodeName is its own name`;
  const refusal = refusedOwners(node, pod.metadata.ownerReferences ?? []);
  if (refusal !== undefined) return refusal;
  const [reference] = podReferences(pod);
  if (reference !== undefined) {
    const [kind] = reference.split('/', 1);
    return `node ${quoted(node)} can not create pods that refer to ${kind}`;
  }
  return refusedIdentity(nodeWrite, pod.metadata.ownerReferences?.[0]?.uid ?? '');
}

function refusedOwners(node: string, owners: readonly OwnerReference[]): Refusal | undefined {
  const [owner] = owners;
  const can = `node ${quoted(node)} can only create pods`;
  if (owner === undefined || owners.length > 1) return `${can} with one owner reference, to itself`;
  const { apiVersion, kind, name, controller, blockOwnerDeletion } = owner;
  if (apiVersion !== 'v1' || kind !== 'Node' || name !== node)
    return `${can} with one owner reference, to itself`;
  if (controller !== true) return `${can} whose owner reference to itself is that of a controller`;
  return blockOwnerDeletion === true
    ? `node ${quoted(node)} must not set blockOwnerDeletion in an owner reference`
    : undefined;
}

/** The uid in the owner reference is that of the present node, not that of a deleted one with the same name. */
async function refusedIdentity({ node, write, parts }: NodeWrite, uid: string): Promise<Refusal | undefined> {
  const { source } = parts;
  const matches = (): boolean => source.get('nodes', '', node)?.metadata.uid === uid;
  if (matches()) return undefined;
  await source.fresh(write.signal);
  return matches()
    ? undefined
    : `the uid ${quoted(uid)} in the owner reference is not that of node ${quoted(node)}`;
}
