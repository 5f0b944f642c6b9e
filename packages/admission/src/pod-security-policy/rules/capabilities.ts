import type { Capabilities } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { RuleParts, Rules } from '../rule.ts';

/** Capabilities that containers add and drop, and those that they get by default. */
export function capabilities({ spec }: RuleParts): Rules {
  const added = spec.defaultAddCapabilities ?? [];
  const dropped = spec.requiredDropCapabilities ?? [];
  const allowed = spec.allowedCapabilities ?? [];
  const addable = new Set([...added, ...allowed]);
  return {
    container: {
      defaults: ({ context }) => completed(context.capabilities ?? {}, added, dropped),
      *check({ path, context }) {
        if (allowed.includes('*')) return;
        const at = `${path}.securityContext.capabilities`;
        const { add = [], drop = [] } = context.capabilities ?? {};
        for (const each of add)
          if (!addable.has(each)) yield fieldError.invalid(`${at}.add`, each, 'capability may not be added');
        yield* missingDrops(at, drop, dropped);
      },
    },
  };
}

/** A container that drops a default capability does not get it. */
function completed(
  { add = [], drop = [] }: Capabilities,
  added: readonly string[],
  dropped: readonly string[],
): { readonly capabilities: Capabilities } | undefined {
  const adds = new Set([...add, ...added.filter((each) => !drop.includes(each))]);
  const drops = new Set([...drop, ...dropped]);
  if (adds.size === new Set(add).size && drops.size === new Set(drop).size) return undefined;
  return {
    capabilities: {
      ...(adds.size === 0 ? {} : { add: [...adds].toSorted() }),
      ...(drops.size === 0 ? {} : { drop: [...drops].toSorted() }),
    },
  };
}

function missingDrops(
  at: string,
  drop: readonly string[],
  required: readonly string[],
): readonly FieldError[] {
  const drops = new Set(drop);
  return required
    .filter((each) => !drops.has(each))
    .map((each) =>
      fieldError.invalid(`${at}.drop`, drop, `${each} is required to be dropped but was not found`),
    );
}
