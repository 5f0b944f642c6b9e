import type { Names } from '@orch/machinery';
import type { ConfigValue } from '@orch/machinery/yaml';

/** `secrets`, `widgets.example.com`, `*.apps`, `*.` (the core group) or `*.*`. */
export interface ResourcePattern {
  readonly text: string;
  /** `*` for all. */
  readonly resource: string;
  /** As served; `*` for all. */
  readonly group: string;
}

/** A resource, with its group as served. */
export interface GroupResource {
  readonly resource: string;
  readonly group: string;
}

/** Keys of the store that are not objects. */
const WITHOUT_OBJECTS = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

export const matches = (pattern: ResourcePattern, { resource, group }: GroupResource): boolean =>
  (pattern.resource === '*' || pattern.resource === resource) &&
  (pattern.group === '*' || pattern.group === group);

/** An earlier pattern that includes all resources of the pattern. */
export const masking = (
  { resource, group }: ResourcePattern,
  earlier: readonly ResourcePattern[],
): ResourcePattern | undefined => earlier.find((one) => matches(one, { resource, group }));

export function readPatterns(list: ConfigValue, names: Names): readonly ResourcePattern[] {
  const texts = list.list();
  if (texts.length === 0) list.fail('at least one resource is required');
  return texts.map((one) => readPattern(one, names));
}

function readPattern(value: ConfigValue, names: Names): ResourcePattern {
  const text = value.text();
  const dot = text.indexOf('.');
  const resource = dot < 0 ? text : text.slice(0, dot);
  const group = dot < 0 ? '' : text.slice(dot + 1);
  const problem = problemOf({ text, resource, group }, names);
  return problem === undefined ? { text, resource, group } : value.fail(problem);
}

function problemOf({ text, resource, group }: ResourcePattern, names: Names): string | undefined {
  if (text === '') return 'must name a resource';
  if (text !== text.toLowerCase()) return 'must not contain capital letters';
  if (text === '*') return "must be '*.' for the resources of the core group, or '*.*' for all resources";
  if (group === '*' && resource !== '*') return 'one resource cannot be named in all groups';
  if ((resource !== '*' && resource.includes('*')) || (group !== '*' && group.includes('*')))
    return "'*' must stand for a whole resource or group";
  if (resource === '' || /[^a-z0-9*.-]/.test(text)) return 'must have the form resource.group';
  if (WITHOUT_OBJECTS.includes(text)) return 'is not a resource of the API';
  if (group === names.group('events')) return "events are stored in the core group: must be 'events'";
  if (group === names.group('extensions'))
    return 'objects of the group extensions are stored in the groups that replace it';
  return undefined;
}

/** A list names each resource once. */
export function refuseOverlaps(list: ConfigValue, patterns: readonly ResourcePattern[]): void {
  for (const [at, pattern] of patterns.entries()) {
    const others = patterns.slice(0, at);
    const value = list.list()[at] ?? list;
    if (others.some(({ text }) => text === pattern.text))
      value.fail(`${JSON.stringify(pattern.text)} is repeated`);
    const other = others.find((one) => includes(one, pattern) || includes(pattern, one));
    if (other !== undefined)
      value.fail(
        `${JSON.stringify(pattern.text)} overlaps with ${JSON.stringify(other.text)} of the same list`,
      );
  }
}

const includes = (wide: ResourcePattern, { resource, group }: ResourcePattern): boolean =>
  wide.resource === '*' && matches(wide, { resource, group });
