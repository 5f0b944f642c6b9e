import { isControlledBy, type kinds, typed } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asObject, objectAt } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { listAll } from '../describe/describer.ts';
import { selectorText } from '../describe/text/values.ts';
import { ROLLED_OUT } from './rollout-targets.ts';
import type { Workload } from './workload.ts';

export type Template = kinds.core.PodTemplateSpec;

/** An earlier or the current state of the template of a workload. */
export interface WorkloadRevision {
  readonly revision: number;
  readonly changeCause: string;
  readonly template: Template;
  /** Annotations of the object that records the revision. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The object that `--output` prints for the revision. */
  readonly object: ApiObject;
}

/** The revisions of a workload, the oldest first. Rejects with a CommandError for kinds without revisions. */
export async function revisionsOf(
  workload: Workload,
  { resource: { kind } }: Target,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<readonly WorkloadRevision[]> {
  if (!ROLLED_OUT.has(kind)) throw new CommandError(`objects of kind ${kind} have no revisions`);
  const { apps } = typed(session.client, workload.metadata.namespace);
  const { annotations: keys } = session.names;
  const list = <T extends ApiObject>(client: Parameters<typeof listAll<T>>[0]) =>
    listAll(client, { chunkSize: 500, signal }, { labelSelector: selectorText(workload.spec?.selector) });
  const revisions: WorkloadRevision[] = [];
  const add = (object: ApiObject, fields: Omit<WorkloadRevision, 'changeCause' | 'annotations'>): void => {
    const annotations = object.metadata.annotations ?? {};
    if (isControlledBy(object, workload))
      revisions.push({ ...fields, annotations, changeCause: annotations[keys.changeCause] ?? '' });
  };
  if (kind === 'Deployment')
    for (const set of await list(apps.v1.replicasets)) {
      const revision = Number(set.metadata.annotations?.[keys.deploymentRevision] ?? 0);
      add(set, { revision, template: set.spec?.template ?? { spec: { containers: [] } }, object: set });
    }
  else
    for (const one of await list(apps.v1.controllerrevisions)) {
      const template = templateIn(one);
      const object = { ...workload, spec: { ...workload.spec, template } };
      add(one as ApiObject, { revision: one.revision, template, object });
    }
  return revisions.toSorted((a, b) => a.revision - b.revision);
}

/** The template of a record of a stateful set or daemon set, which is a patch that replaces it. */
function templateIn({ data }: kinds.apps.ControllerRevision): Template {
  const { $patch: _, ...template } = objectAt(asObject(data), 'spec', 'template');
  return template as unknown as Template;
}
