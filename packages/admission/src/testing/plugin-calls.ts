import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  Refusal,
  Reinvocation,
  Verdict,
  WriteTarget,
} from '../types.ts';
import { testResource } from './versioned-resources.ts';

const user = { name: 'alice', uid: '', groups: [], extra: {} };

/** The attributes of a write: its operation, name and namespace follow from its objects. */
export function testWrite(write: Partial<AdmissionAttributes>): AdmissionAttributes {
  const { object, oldObject } = write;
  const { name = '', namespace = '' } = (object ?? oldObject)?.metadata ?? {};
  const { group = '', resource = 'pods', subresource = '' } = write;
  const path = [group, 'v1', resource, subresource].filter((part) => part !== '').join('/');
  return {
    operation: oldObject === undefined ? 'CREATE' : object === undefined ? 'DELETE' : 'UPDATE',
    group: '',
    resource: 'pods',
    subresource: '',
    requested: testResource({ path }),
    user,
    namespace,
    name,
    dryRun: false,
    object,
    oldObject,
    options: () => undefined,
    whenNotStored: () => {},
    report: { warn: () => {}, annotate: () => {}, exclude: () => {}, step: () => {} },
    signal: new AbortController().signal,
    ...write,
  };
}

/** Reports whether a plugin is called about a write. */
export const handlesWrite = (plugin: AdmissionPlugin, write: WriteTarget): boolean =>
  plugin.handles(write) &&
  plugin.configuredBy?.(write)?.isEmpty !== true &&
  (plugin.handlesWrite?.(write) ?? true);

/** The decision of a plugin on a write; undefined also when it does not handle the write. */
export function validated(plugin: AdmissionPlugin, write: AdmissionAttributes): Verdict {
  return handlesWrite(plugin, write) ? plugin.validate?.(write) : undefined;
}

/** The decision of a plugin that takes something shared; undefined also when it does not handle the write. */
export function reserved(plugin: AdmissionPlugin, write: AdmissionAttributes): Verdict {
  return handlesWrite(plugin, write) ? plugin.reserve?.(write) : undefined;
}

/** Plugins assign fields of `metadata` and `spec`: they change nothing within the values of these fields. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const each of Object.values(value)) freeze(each);
}

/** The result of passing a write to a mutating plugin. */
export interface Mutated {
  readonly refusal: Refusal | undefined;
  /** A copy of the object of the write, as the plugin changed it. */
  readonly object: ApiObject | undefined;
}

const firstCall: Reinvocation = { isSecond: false, request: () => {} };

/** Passes a copy of the object to a mutating plugin; the object is unchanged when the plugin does not handle the write. */
export async function mutated(
  plugin: AdmissionPlugin,
  write: AdmissionAttributes,
  reinvocation = firstCall,
): Promise<Mutated> {
  const object = write.object === undefined ? undefined : cloneJson(write.object);
  for (const part of [object?.metadata, object?.['spec']])
    for (const value of Object.values(part ?? {})) freeze(value);
  const refusal = handlesWrite(plugin, write)
    ? await plugin.mutate?.({ ...write, object }, reinvocation)
    : undefined;
  return { refusal, object };
}
