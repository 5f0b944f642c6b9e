import type { Ingress } from '@orch/kinds/networking';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of the annotation of a new ingress that a field has replaced. */
export function ingressWarnings(
  { metadata, spec = {} }: Ingress,
  old: Ingress | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const { ingressClass } = names.annotations;
  const isAnnotated =
    metadata.annotations?.[ingressClass] !== undefined && spec.ingressClassName === undefined;
  return old === undefined && isAnnotated && since('1.27')
    ? [`annotation "${ingressClass}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}
