import type { ApiObject, Names } from '@orch/machinery';
import { asObject, asText } from '@orch/machinery/json';
import { compareQuantities, type Quantity } from '@orch/machinery/quantity';
import { countAmount, readAmounts } from './amounts.ts';
import { type Evaluator, lasting } from './measure.ts';

const bounds: ReadonlySet<string> = new Set([
  'count/persistentvolumeclaims',
  'persistentvolumeclaims',
  'requests.storage',
]);

/** Persistent volume claims: their number and size, in total, by storage class and by the VolumeAttributesClass. */
export function claimEvaluator(names: Names): Evaluator {
  const infix = `.storageclass.${names.group('storage')}/`;
  const ofClass = ['requests.storage', 'persistentvolumeclaims'].map((bound) => `${infix}${bound}`);
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    counts: (name) =>
      bounds.has(name) || ofClass.some((suffix) => name.length > suffix.length && name.endsWith(suffix)),
    measure(claim) {
      const amounts = new Map<string, Quantity>([
        ['count/persistentvolumeclaims', countAmount(1)],
        ['persistentvolumeclaims', countAmount(1)],
      ]);
      const size = sizeOf(claim);
      const storageClass = classOf(claim, names);
      if (size !== undefined) amounts.set('requests.storage', size);
      if (storageClass !== '') {
        amounts.set(`${storageClass}${infix}persistentvolumeclaims`, countAmount(1));
        if (size !== undefined) amounts.set(`${storageClass}${infix}requests.storage`, size);
      }
      return { ...lasting(amounts), scopes: { attributesClasses: attributesClassesOf(claim) } };
    },
  };
}

/** The requested amount; the allocated amount where a claim that could not be expanded requests less than that. */
function sizeOf(claim: ApiObject): Quantity | undefined {
  const spec = asObject(claim['spec']);
  const requested = readAmounts(asObject(spec['resources'])['requests']).get('storage');
  const given = readAmounts(asObject(claim['status'])['allocatedResources']).get('storage');
  if (requested === undefined || given === undefined) return requested;
  return compareQuantities(given, requested) > 0 ? given : requested;
}

/** The classes that a claim names, those of its status included: a change of the class takes time. */
function attributesClassesOf(claim: ApiObject): readonly string[] {
  const status = asObject(claim['status']);
  const named = [
    asObject(claim['spec'])['volumeAttributesClassName'],
    status['currentVolumeAttributesClassName'],
    asObject(status['modifyVolumeStatus'])['targetVolumeAttributesClassName'],
  ].map(asText);
  return [...new Set(named)].filter((name) => name !== '').sort();
}

const classOf = (claim: ApiObject, names: Names): string =>
  claim.metadata.annotations?.[names.annotations.betaStorageClass] ??
  asText(asObject(claim['spec'])['storageClassName']);
