import type { Container, LimitRange, ResourceRequirements } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import type { PodDraft } from '../shared/pods.ts';

type List = 'requests' | 'limits';
type Amounts = Readonly<Record<string, string>>;

/** Default requests and limits of containers, by resource. */
type Defaults = Readonly<Record<List, Amounts>>;

/** Sets the requests and limits that limit ranges give to containers without them, and lists them in an annotation. */
export function setContainerDefaults(pod: PodDraft, ranges: readonly LimitRange[], names: Names): void {
  const defaults = defaultsOf(ranges);
  const { spec } = pod;
  if (defaults === undefined || spec === undefined) return;
  const remarks: string[] = [];
  const completed = (noun: string) => (container: Draft<Container>) => {
    const missing = missingIn(container, defaults);
    remarks.push(...remarksOn(missing, `${noun} ${container.name ?? ''}`));
    return withAmounts(container, missing);
  };
  if (spec.initContainers !== undefined)
    spec.initContainers = spec.initContainers.map(completed('init container'));
  if (spec.containers !== undefined && spec.containers !== null)
    spec.containers = spec.containers.map(completed('container'));
  if (remarks.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [names.annotations.limitRanger]: `LimitRanger plugin set: ${remarks.join('; ')}`,
  };
}

/** The defaults of all limit ranges, the first by name taking precedence; undefined without any for containers. */
function defaultsOf(ranges: readonly LimitRange[]): Defaults | undefined {
  const items = ranges.flatMap(({ spec }) => spec?.limits ?? []).filter(({ type }) => type === 'Container');
  if (items.length === 0) return undefined;
  const merged = (list: 'default' | 'defaultRequest'): Amounts =>
    Object.assign({}, ...items.toReversed().map((item) => item[list] ?? {})) as Amounts;
  return { requests: merged('defaultRequest'), limits: merged('default') };
}

function missingIn({ resources = {} }: Draft<Container>, defaults: Defaults): Defaults {
  const missing = (list: List): Amounts => {
    const present = resources[list] ?? {};
    return Object.fromEntries(
      Object.entries(defaults[list]).filter(([resource]) => !Object.hasOwn(present, resource)),
    );
  };
  return { requests: missing('requests'), limits: missing('limits') };
}

const isEmpty = (amounts: Amounts): boolean => Object.keys(amounts).length === 0;

function remarksOn({ requests, limits }: Defaults, container: string): readonly string[] {
  const remark = (amounts: Amounts, noun: string): readonly string[] =>
    isEmpty(amounts) ? [] : [`${Object.keys(amounts).toSorted().join(', ')} ${noun} for ${container}`];
  return [...remark(requests, 'request'), ...remark(limits, 'limit')];
}

function withAmounts(container: Draft<Container>, { requests, limits }: Defaults): Draft<Container> {
  if (isEmpty(requests) && isEmpty(limits)) return container;
  const resources: Draft<ResourceRequirements> = { ...container.resources };
  if (!isEmpty(requests)) resources.requests = { ...resources.requests, ...requests };
  if (!isEmpty(limits)) resources.limits = { ...resources.limits, ...limits };
  return { ...container, resources };
}
