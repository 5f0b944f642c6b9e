import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';

type Deployment = kinds.apps.Deployment;
type ReplicaSet = kinds.apps.ReplicaSet;
type Values = Readonly<Record<string, string>>;

/** The annotations of a Deployment and its sets that the controller writes and reads. */
export interface Keys {
  readonly revision: string;
  readonly revisionHistory: string;
  readonly desired: string;
  readonly maximum: string;
  /** Annotations that are not copied from a Deployment to its sets. */
  readonly own: ReadonlySet<string>;
}

export function keysOf({ annotations }: Names): Keys {
  const revision = annotations.deploymentRevision;
  const revisionHistory = annotations.deploymentRevisionHistory;
  const desired = annotations.deploymentDesiredReplicas;
  const maximum = annotations.deploymentMaxReplicas;
  const { lastApplied, deploymentRollbackTo } = annotations;
  const own = new Set([revision, revisionHistory, desired, maximum, lastApplied, deploymentRollbackTo]);
  return { revision, revisionHistory, desired, maximum, own };
}

const wholeNumber = /^\d{1,15}$/;

/** The number in an annotation; undefined when it is absent or not a whole number. */
export function numberAt({ metadata }: Deployment | ReplicaSet, key: string): number | undefined {
  const text = metadata.annotations?.[key] ?? '';
  return wholeNumber.test(text) ? Number(text) : undefined;
}

/** The annotations of a set by those of its Deployment, with this revision. Former revisions are kept in a history. */
export function setAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  { keys, revision }: { readonly keys: Keys; readonly revision: number },
): Values {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name]) => !keys.own.has(name),
  );
  const former = set === undefined ? undefined : numberAt(set, keys.revision);
  const isLater = former === undefined || former < revision;
  const history = set?.metadata.annotations?.[keys.revisionHistory];
  const passed = [
    ...(history === undefined || history === '' ? [] : [history]),
    ...(former === undefined ? [] : [former]),
  ];
  return {
    ...Object.fromEntries(copied),
    [keys.revision]: String(isLater ? revision : former),
    ...(isLater && passed.length > 0 && { [keys.revisionHistory]: passed.join(',') }),
  };
}

/** The annotations that a set does not have with these values. */
export const missingAnnotations = ({ metadata }: ReplicaSet, wanted: Values): Values =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => metadata.annotations?.[name] !== value),
  );
