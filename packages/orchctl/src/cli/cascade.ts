import { choiceFlag, withBareText } from '@orch/program/flags';

/** The deletion policy for the dependents of a deleted object. */
export const cascadeFlag = withBareText(
  choiceFlag(
    {
      name: 'cascade',
      help: 'background deletes dependents afterwards, foreground before, orphan keeps them.',
      section: 'Flags',
    },
    ['background', 'foreground', 'orphan', 'true', 'false'],
    'background',
  ),
  'background',
);

/** The policies of the API by the values of the flag. */
export const propagationPolicies = {
  background: 'Background',
  true: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
  false: 'Orphan',
} as const;
