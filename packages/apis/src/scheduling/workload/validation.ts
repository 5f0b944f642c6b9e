import type {
  CompositePodGroupTemplateV1beta1 as CompositePodGroupTemplate,
  PodGroupTemplateV1beta1 as PodGroupTemplate,
  WorkloadSpecV1beta1 as WorkloadSpec,
} from '@orch/kinds/scheduling';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

const MAX_DEPTH = 4;

/** The templates of a workload, or of a composite group in it. */
type Templates = Pick<WorkloadSpec, 'podGroupTemplates' | 'compositePodGroupTemplates'>;
type Named = Pick<PodGroupTemplate, 'name'>;
type Prioritized = Pick<PodGroupTemplate, 'priority' | 'priorityClassName'>;

const groupsOf = ({ podGroupTemplates }: Templates): readonly PodGroupTemplate[] => podGroupTemplates ?? [];
const compositesOf = ({ compositePodGroupTemplates }: Templates): readonly CompositePodGroupTemplate[] =>
  compositePodGroupTemplates ?? [];

function checkFixed(path: string, list: readonly Named[], old: readonly Named[]): readonly FieldError[] {
  const [names, oldNames] = [new Set(list.map(({ name }) => name)), new Set(old.map(({ name }) => name))];
  return [
    ...list.flatMap(({ name }, i) =>
      oldNames.has(name) ? [] : [fieldError.forbidden(`${path}[${i}]`, 'item may not be added')],
    ),
    ...old.flatMap(({ name }) =>
      names.has(name) ? [] : [fieldError.forbidden(path, 'item may not be removed')],
    ),
  ];
}

/** Templates are neither added nor removed later. */
export const checkFixedTemplates: Check<Templates> = (next, { path, old }) =>
  old === undefined
    ? []
    : [
        ...checkFixed(`${path}.podGroupTemplates`, groupsOf(next), groupsOf(old)),
        ...checkFixed(`${path}.compositePodGroupTemplates`, compositesOf(next), compositesOf(old)),
      ];

/** Checks that no template has the name of a template in another list; a list reports its own duplicates. */
function checkNames(path: string, templates: Templates, known: Set<string>): readonly FieldError[] {
  const listed = (list: readonly Named[], field: string): readonly FieldError[] => {
    const errors = list.flatMap(({ name = '' }, i) =>
      known.has(name) ? [fieldError.duplicate(`${path}.${field}[${i}].name`, name)] : [],
    );
    for (const { name = '' } of list) known.add(name);
    return errors;
  };
  return [
    ...listed(groupsOf(templates), 'podGroupTemplates'),
    ...listed(compositesOf(templates), 'compositePodGroupTemplates'),
    ...compositesOf(templates).flatMap((template, i) =>
      checkNames(`${path}.compositePodGroupTemplates[${i}]`, template, known),
    ),
  ];
}

const isTooDeep = (template: CompositePodGroupTemplate, depth = 1): boolean =>
  depth >= MAX_DEPTH || compositesOf(template).some((child) => isTooDeep(child, depth + 1));

/** The priorities of all templates below a workload or a composite group. */
const prioritiesIn = (templates: Templates): readonly string[] => [
  ...groupsOf(templates).map(priorityOf),
  ...compositesOf(templates).flatMap((template) => [priorityOf(template), ...prioritiesIn(template)]),
];

const priorityOf = ({ priority, priorityClassName }: Prioritized): string =>
  JSON.stringify([priorityClassName ?? '', priority ?? null]);

function checkChildren(path: string, template: CompositePodGroupTemplate): readonly FieldError[] {
  const own =
    groupsOf(template).length + compositesOf(template).length > 0
      ? []
      : [fieldError.invalid(path, template.name ?? '', 'must have at least one child template')];
  return [
    ...own,
    ...compositesOf(template).flatMap((child, i) =>
      checkChildren(`${path}.compositePodGroupTemplates[${i}]`, child),
    ),
  ];
}

/** Rules over all templates of a workload: names, depth, priorities and children. */
export const checkTemplates: Check<WorkloadSpec> = (spec, { path }) => {
  const at = (i: number): string => `${path}.compositePodGroupTemplates[${i}]`;
  const composites = compositesOf(spec);
  return [
    ...checkNames(path, spec, new Set()),
    ...composites.flatMap((template, i) =>
      isTooDeep(template)
        ? [fieldError.invalid(at(i), template.name ?? '', `maximum template hierarchy depth is ${MAX_DEPTH}`)]
        : [],
    ),
    ...(new Set(prioritiesIn(spec)).size > 1
      ? [fieldError.invalid(path, null, 'all priority and priorityClassName values must be identical')]
      : []),
    ...composites.flatMap((template, i) => checkChildren(at(i), template)),
  ];
};
