import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { setField } from '@orch/machinery/json';
import { type Derive, f, items, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';

type Amounts = Readonly<Record<string, string>>;

/** Adds the missing entries of `source` to a map; undefined when none is missing. */
function completed(map: Amounts, source: Amounts): Record<string, string> | undefined {
  const missing = Object.keys(source).filter((name) => !Object.hasOwn(map, name));
  if (missing.length === 0) return undefined;
  if (Object.keys(map).length === 0) return { ...source };
  const all = { ...map };
  for (const name of missing) setField(all, name, source[name] ?? '');
  return all;
}

type List = 'default' | 'defaultRequest' | 'max' | 'min';

function fill(item: Draft<core.LimitRangeItem>, list: List, from: List): boolean {
  const map = completed(item[list] ?? {}, item[from] ?? {});
  if (map === undefined) return false;
  item[list] = map;
  return true;
}

/** The default limit of containers is their maximum, and the default request is their limit, or else their minimum. */
const deriveLimitRangeItem: Derive<Draft<core.LimitRangeItem>> = (item) => {
  if (item.type !== 'Container') return false;
  const limits = fill(item, 'default', 'max');
  const requests = fill(item, 'defaultRequest', 'default');
  return fill(item, 'defaultRequest', 'min') || requests || limits;
};

export const LimitRangeItem = struct(
  'core.v1.LimitRangeItem',
  'Bounds and defaults for objects of one type.',
  {
    type: f.string(1, {
      doc: 'Type of the bounded objects: Pod, Container or PersistentVolumeClaim.',
      presence: 'always',
    }),
    max: f.map(2, items.quantity, { doc: 'Upper bounds by resource.' }),
    min: f.map(3, items.quantity, { doc: 'Lower bounds by resource.' }),
    default: f.map(4, items.quantity, { doc: 'Limits for containers that name none.' }),
    defaultRequest: f.map(5, items.quantity, { doc: 'Requests for containers that name none.' }),
    maxLimitRequestRatio: f.map(6, items.quantity, {
      doc: 'How far a limit may be above the request, as a factor.',
    }),
  },
  { derive: deriveLimitRangeItem },
);

export const LimitRangeSpec = struct('core.v1.LimitRangeSpec', 'The bounds of a namespace.', {
  limits: f.list(1, LimitRangeItem, { doc: 'One entry per type.', presence: 'always' }),
});

export const LimitRange = struct(
  'core.v1.LimitRange',
  'Bounds and defaults for the resources that single pods, containers and claims of a namespace may request.',
  {
    metadata: metadataField,
    spec: specField(LimitRangeSpec),
  },
  { typeMeta: true },
);
