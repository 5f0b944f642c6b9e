import { choiceFlag, textFlag, withBareText } from '@orch/program/flags';

const section = 'Flags';

/** Flags of commands that write. */
export const writeFlags = {
  dryRun: withBareText(
    choiceFlag(
      {
        name: 'dry-run',
        help: 'client prints the object without sending it; server sends it and stores nothing.',
        section,
      },
      ['none', 'client', 'server'],
      'none',
    ),
    'client',
  ),
  fieldManager: textFlag(
    { name: 'field-manager', help: 'The name of the field manager of the write.', section },
    'orchctl',
  ),
} as const;

export const validateFlag = {
  validate: withBareText(
    choiceFlag(
      {
        name: 'validate',
        help: 'How the server treats unknown and duplicate fields: strict refuses, warn warns, ignore drops them.',
        section,
      },
      ['strict', 'warn', 'ignore', 'true', 'false'],
      'strict',
    ),
    'strict',
  ),
} as const;

export type DryRun = 'none' | 'client' | 'server';

/** The suffix of the report of a write that stored nothing. */
export const dryRunSuffix = (dryRun: DryRun): string =>
  dryRun === 'client' ? ' (dry run)' : dryRun === 'server' ? ' (server dry run)' : '';

export type Validation = 'strict' | 'warn' | 'ignore' | 'true' | 'false';

/** The field validation of the server. */
export function fieldValidation(validate: Validation): 'Strict' | 'Warn' | 'Ignore' {
  if (validate === 'warn') return 'Warn';
  return validate === 'ignore' || validate === 'false' ? 'Ignore' : 'Strict';
}
