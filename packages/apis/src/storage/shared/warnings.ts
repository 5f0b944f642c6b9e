import type { CSIDriver, CSIStorageCapacity, StorageClass } from '@orch/kinds/storage';
import { jsonEquals } from '@orch/machinery/json';
import type { WarningContext } from '../../content-warning.ts';
import { deprecatedNodeLabel, expressionWarnings } from '../../node-label-warnings.ts';

/** Warns of deprecated labels in the topologies of a class. */
export const storageClassWarnings = (
  { allowedTopologies = [] }: StorageClass,
  _old: StorageClass | undefined,
  context: WarningContext,
): readonly string[] =>
  context.since('1.25')
    ? allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
        matchLabelExpressions.flatMap(({ key = '' }, j) => {
          const message = deprecatedNodeLabel(key, context);
          const path = `allowedTopologies[${i}].matchLabelExpressions[${j}].key`;
          return message === undefined ? [] : [`${path}: ${message}`];
        }),
      )
    : [];

/** Warns of deprecated labels in the topology of a capacity. */
export function capacityWarnings(
  { nodeTopology = {} }: CSIStorageCapacity,
  _old: CSIStorageCapacity | undefined,
  context: WarningContext,
): readonly string[] {
  if (!context.since('1.25')) return [];
  const { matchExpressions, matchLabels = {} } = nodeTopology;
  return [
    ...expressionWarnings('nodeTopology', matchExpressions, context),
    ...Object.keys(matchLabels).flatMap((key) => {
      const message = deprecatedNodeLabel(key, context);
      return message === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${message}`];
    }),
  ];
}

/** Warns of a driver that receives tokens where they may be logged. */
export function driverWarnings(
  { spec = {} }: CSIDriver,
  old: CSIDriver | undefined,
  { since }: WarningContext,
): readonly string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
  const isKept = old !== undefined && jsonEquals(tokenRequests, old.spec?.tokenRequests ?? []);
  return since('1.35', 'CSIServiceAccountTokenSecrets') &&
    tokenRequests.length > 0 &&
    serviceAccountTokenInSecrets === undefined &&
    !isKept
    ? [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ]
    : [];
}
