import { type ApiObject, finiteNumber } from '@orch/machinery';
import { asNumber, asObject } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import type { Resource, WriteOptions } from '../rest/types.ts';

/** The object of a resource with a subresource `scale`. */
export interface ScaleTarget {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** The number of replicas of an object: as desired, and as observed by its controller. */
export interface Scale {
  readonly desired: number;
  readonly observed: number;
}

const scaleIn = (object: ApiObject): Scale => ({
  desired: asNumber(asObject(object['spec'])['replicas']),
  observed: asNumber(asObject(object['status'])['replicas']),
});

const scales = (client: Client, { resource, namespace }: ScaleTarget) =>
  client.resource(resource, namespace).subresource('scale');

/** Reads the number of replicas of an object. Rejects with `ApiError`, such as a 404 for a kind without the subresource. */
export async function readScale(client: Client, target: ScaleTarget, signal?: AbortSignal): Promise<Scale> {
  return scaleIn(await scales(client, target).get(target.name, signal));
}

/** Sets the number of replicas of an object, whatever it is now. Rejects with a RangeError for a number that is not whole. */
export async function setScale(
  client: Client,
  target: ScaleTarget & { readonly replicas: number },
  options: WriteOptions = {},
  signal?: AbortSignal,
): Promise<Scale> {
  const { replicas, name } = target;
  finiteNumber('replicas', replicas, { least: 0 });
  if (!Number.isInteger(replicas)) throw new RangeError(`replicas: must be a whole number, not ${replicas}`);
  return scaleIn(await scales(client, target).patch.merge(name, { spec: { replicas } }, options, signal));
}
