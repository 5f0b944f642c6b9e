import type {
  LimitResponseV1beta3,
  PriorityLevelConfigurationSpecV1beta3,
  PriorityLevelConfigurationV1beta3,
  QueuingConfigurationV1beta3,
} from '@orch/kinds/flowcontrol';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check, CheckContext } from '@orch/schema';

/** Dealing a hand of queues uses this number of bits of a hash. */
const MAX_HASH_BITS = 60;

/**
 * Checks that a hand is not larger than the deck, and can be dealt from one hash. The declarations contain the ranges.
 */
export const checkQueuing: Check<QueuingConfigurationV1beta3> = (queuing, { path }) => {
  const queues = queuing.queues ?? 0;
  const handSize = queuing.handSize ?? 0;
  if (handSize < 1) return [];
  const at = `${path}.handSize`;
  if (handSize > queues) {
    return [fieldError.invalid(at, handSize, `should not be greater than queues (${queues})`)];
  }
  const bits = Math.ceil(Math.log2(queues) * handSize);
  const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
  return bits > MAX_HASH_BITS ? [fieldError.invalid(at, handSize, why)] : [];
};

/** From 1.36 on, an empty type is missing; before, it is an unknown one. */
const unknownType = (
  path: string,
  type: string | undefined,
  { types, since }: { readonly types: readonly string[] } & Pick<CheckContext, 'since'>,
): FieldError =>
  (type ?? '') === '' && since('1.36')
    ? fieldError.required(path)
    : fieldError.notSupported(path, type ?? '', types);

/** Checks that requests wait in queues for `Queue`, and only for it. */
function checkUnion({ type, queuing }: LimitResponseV1beta3, path: string): readonly FieldError[] {
  if ((type === 'Queue') === (queuing !== undefined)) return [];
  return queuing === undefined
    ? [fieldError.required(`${path}.queuing`, "must not be empty if the type is 'Queue'")]
    : [fieldError.forbidden(`${path}.queuing`, "must be absent if the type is not 'Queue'")];
}

const responses = ['Queue', 'Reject'];

export const checkResponse: Check<LimitResponseV1beta3> = (response, { path, since }) => {
  const isKnown = responses.includes(response.type ?? '');
  return [
    ...(isKnown ? [] : [unknownType(`${path}.type`, response.type, { types: responses, since })]),
    ...(isKnown || since('1.37') ? checkUnion(response, path) : []),
  ];
};

/** Checks the response of a level that should have no limits, whose other values are not validated: from 1.37 on. */
function checkUselessResponse(response: LimitResponseV1beta3, path: string): readonly FieldError[] {
  return [
    ...((response.type ?? '') === '' ? [fieldError.required(`${path}.type`)] : []),
    ...checkUnion(response, path),
  ];
}

/** Checks that only one level is exempt from limits. */
export const checkLevel: Check<PriorityLevelConfigurationSpecV1beta3> = (spec, { path, root, since }) => {
  const type = spec.type ?? '';
  const { limited, exempt } = spec;
  const { metadata }: Partial<PriorityLevelConfigurationV1beta3> = root;
  const isExempt = (metadata?.name ?? '') === 'exempt';
  const errors: FieldError[] = [];
  if (type !== 'Exempt' && type !== 'Limited') {
    errors.push(unknownType(`${path}.type`, type, { types: ['Exempt', 'Limited'], since }));
  } else if (isExempt !== (type === 'Exempt')) {
    const why = "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(fieldError.invalid(`${path}.type`, type, why));
  }
  const isUnlimited = type === 'Exempt' || (type !== 'Limited' && since('1.37'));
  if (isUnlimited && limited !== undefined) {
    errors.push(fieldError.forbidden(`${path}.limited`, "must be absent if the type is not 'Limited'"));
    if (since('1.37'))
      errors.push(...checkUselessResponse(limited.limitResponse ?? {}, `${path}.limited.limitResponse`));
  }
  const isNotExempt = type === 'Limited' || (type !== 'Exempt' && since('1.37'));
  if (isNotExempt && exempt !== undefined) {
    errors.push(fieldError.forbidden(`${path}.exempt`, "must be absent if the type is not 'Exempt'"));
  }
  if (type === 'Limited' && limited === undefined) {
    errors.push(fieldError.required(`${path}.limited`, "must not be empty when type is 'Limited'"));
  }
  return errors;
};

/** Levels without which a server could not be repaired, or would drop requests: they are immutable. */
const mandatory: ReadonlyMap<string, object> = new Map([
  ['exempt', { type: 'Exempt' }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
]);

/** The immutable part of a level, with the default of `lendablePercent`, which older releases do not have. */
function lending({ exempt: _changeable, ...spec }: PriorityLevelConfigurationSpecV1beta3): object {
  if (spec.limited === undefined) return spec;
  return { ...spec, limited: { lendablePercent: 0, ...spec.limited } };
}

export function validatePriorityLevel(next: PriorityLevelConfigurationV1beta3): readonly FieldError[] {
  const name = next.metadata.name ?? '';
  const fixed = mandatory.get(name);
  if (fixed === undefined || jsonEquals(lending(next.spec ?? {}), fixed)) return [];
  return [fieldError.invalid('spec', next.spec ?? {}, `spec of '${name}' must equal the fixed value`)];
}
