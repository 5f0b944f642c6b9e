import type { Node } from '@orch/kinds/core';
import { rangeWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of a node. */
export function nodeWarnings(
  { spec = {} }: Node,
  _old: Node | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  const { configSource, externalID = '', podCIDRs = [] } = spec;
  const what = since('1.27')
    ? 'the feature is removed'
    : 'deprecated in v1.22, support removal is planned in v1.23';
  return [
    ...(configSource !== undefined && since('1.22') ? [`spec.configSource: ${what}`] : []),
    ...(externalID !== '' && since('1.27')
      ? [`spec.externalID: this field is deprecated, and is unused by ${names.title}`]
      : []),
    ...podCIDRs.flatMap((range, i) => rangeWarnings(`spec.podCIDRs[${i}]`, range, since)),
  ];
}
